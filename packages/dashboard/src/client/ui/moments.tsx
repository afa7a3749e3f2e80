import { formatDuration } from '@saga-ai/types/words/amounts';
import { formatAge } from '@saga-ai/types/words/times';
import { formatMoment } from '../text/times.ts';
import { useNow } from './clock.ts';

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
