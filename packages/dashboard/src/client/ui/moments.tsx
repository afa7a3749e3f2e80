import { formatDuration } from '@saga-ai/types/words/amounts';
import { formatAge } from '@saga-ai/types/words/times';
import { formatMoment } from '../text/times.ts';
import { useNow, useNowAs } from './clock.ts';

export function Elapsed({ since }: { since: string }) {
  return <>{formatDuration(useNow() - Date.parse(since))}</>;
}

export function Age({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {formatAge(time, useNow())}
    </time>
  );
}

/** The age of a sign of life, to the second while it is young: "4 s ago". */
export function SignAge({ time }: { time: string }) {
  const age = useNowAs((now) => formatDuration(Math.max(0, now - Date.parse(time))));
  return (
    <time dateTime={time} title={`last sign ${formatMoment(time)}`}>
      {age} ago
    </time>
  );
}
