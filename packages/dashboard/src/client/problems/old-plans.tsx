import type { ProblemsAnswer } from '@saga-ai/types/screens/dashboard';
import { Command } from '../ui/notice.tsx';

/** Plans in older and foreign formats that lie in the project, each with the command that takes it over. */
export function OldPlans({ oldPlans }: Pick<ProblemsAnswer, 'oldPlans'>) {
  if (oldPlans.length === 0) return null;
  return (
    <ul
      aria-label="Older plans"
      className="panel divide-y divide-line overflow-hidden border-l-[3px] border-l-waiting"
    >
      {oldPlans.map(({ format, about, files }) => (
        <li key={format} className="px-4 py-3">
          <p className="font-medium">Also here: {about}</p>
          <p className="text-sm text-soft">
            See what would become of them: <Command>{`saga migrate ${format}`}</Command>
          </p>
          <p className="mt-1 font-mono text-xs text-faint">
            {files[0]}
            {files.length > 1 ? ` and ${files.length - 1} more` : ''}
          </p>
        </li>
      ))}
    </ul>
  );
}
