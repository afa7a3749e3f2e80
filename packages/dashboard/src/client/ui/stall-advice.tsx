import { listStallCommands } from '@saga-ai/types/screens/stall';
import { formatDuration } from '@saga-ai/types/words/amounts';
import { useNow } from './clock.ts';
import { Command } from './notice.tsx';

/** Shows the silence in whole minutes, and whether the run was asked. */
export function Silence({
  since,
  isAsked = false,
}: {
  since: string;
  isAsked?: boolean | undefined;
}) {
  const minutes = Math.floor((useNow() - Date.parse(since)) / 60_000);
  const amount = minutes < 60 ? `${minutes} min` : formatDuration(minutes * 60_000);
  return (
    <>
      silent for {amount}
      {isAsked ? ', asked what it waits for' : ''}
    </>
  );
}

export function StallAdvice({ storyId }: { storyId: string }) {
  const [look, stop] = listStallCommands(storyId);
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <span>
        Look: <Command>{look}</Command>
      </span>
      <span>
        Stop: <Command>{stop}</Command>
      </span>
    </span>
  );
}
