import type { StoryAnswer } from '@saga-ai/types/screens/dashboard';

export function Contents({ answer }: { answer: StoryAnswer }) {
  const { needsYou } = answer.view;
  const places: [id: string, title: string, count: number | string][] = [
    ...(needsYou ? [['needs-you', 'Needs you', needsYou.length] as [string, string, number]] : []),
    ['goal', 'Goal', ''],
    ['tasks', 'Tasks', answer.tasks.length],
    ['journal', 'Journal', answer.journal.length],
    ...(answer.evidence
      ? [['evidence', 'Evidence', answer.evidence.checks.length] as [string, string, number]]
      : []),
    ...(answer.diff
      ? [['diff', 'Diff', answer.diff.files.length] as [string, string, number]]
      : []),
    ...(answer.sessions.length > 0
      ? [['sessions', 'Sessions', answer.sessions.length] as [string, string, number]]
      : []),
  ];
  return (
    <nav aria-label="On this page" className="hidden px-4 text-sm lg:block">
      <ul className="grid gap-1">
        {places.map(([id, title, count]) => (
          <li key={id}>
            <a href={`#${id}`} className="flex justify-between text-soft hover:text-ink">
              {title} <span className="text-xs text-faint">{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
