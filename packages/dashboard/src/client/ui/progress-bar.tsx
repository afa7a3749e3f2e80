import type { Progress } from '@saga-ai/types/plan/status';
import { Flash } from './flash.tsx';

interface ProgressBarProps {
  progress: Progress;
  of: string;
  wide?: boolean;
}

export function ProgressBar({
  progress: { completed, total },
  of,
  wide = false,
}: ProgressBarProps) {
  const share = total === 0 ? 0 : (completed / total) * 100;
  const tone = total > 0 && completed === total ? 'bg-done' : 'bg-soft';
  return (
    <span className={`inline-flex items-center gap-2 ${wide ? 'w-full' : ''}`}>
      <span
        aria-hidden="true"
        className={`h-1.5 overflow-hidden rounded-full bg-line ${wide ? 'grow' : 'w-14'}`}
      >
        <span className={`block h-full rounded-full ${tone}`} style={{ width: `${share}%` }} />
      </span>
      <Flash value={completed} className="min-w-9 whitespace-nowrap text-right text-xs text-soft">
        {completed}/{total}
        <span className="sr-only"> {of} completed</span>
      </Flash>
    </span>
  );
}
