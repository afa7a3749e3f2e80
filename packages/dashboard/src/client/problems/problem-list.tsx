import type { Problem } from '@saga-ai/types/words/problem';
import { Link } from '@tanstack/react-router';

export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  return (
    <ul className="panel divide-y divide-line overflow-hidden border-l-[3px] border-l-needs-you">
      {problems.map((problem) => (
        <li
          key={`${problem.code} ${problem.file} ${problem.field} ${problem.message}`}
          className="px-4 py-3"
        >
          <p className="font-medium">{problem.message}</p>
          <p className="text-sm text-soft">{problem.hint}</p>
          <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 font-mono text-xs text-faint">
            <span className="text-needs-you">✗ {problem.code}</span>
            {problem.file ? <span>{problem.file}</span> : null}
            {problem.field ? <span>{problem.field}</span> : null}
            {problem.story ? (
              <Link to="/stories/$id" params={{ id: problem.story }} className="link">
                story {problem.story}
              </Link>
            ) : null}
            {problem.epic ? (
              <Link to="/epics/$id" params={{ id: problem.epic }} className="link">
                epic {problem.epic}
              </Link>
            ) : null}
          </p>
        </li>
      ))}
    </ul>
  );
}
