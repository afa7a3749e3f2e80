import { startDashboardProcess } from '../dashboard/process.ts';
import { formatTable } from '../measure/table.ts';
import { formatMemory, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import { createLargeReview, FILES, LINES, measureReview } from './measure-review.ts';
import { openTabs } from './open-tabs.ts';

const FIRST_MS = 500;
const FRAME_MS = 1000 / 60;
const HEAP_MB = 80;

/** The review of a large story: its first file, scrolling, and the memory of the tab. */
export async function benchReview(
  saga: string,
  env: NodeJS.ProcessEnv,
): Promise<{ table: string; targets: Target[] }> {
  using it = createLargeReview();
  await using dashboard = await startDashboardProcess(saga, it.root, env);
  await dashboard.isVerified();
  await using tabs = await openTabs();
  const page = await tabs.open(dashboard.url);
  const { origin } = new URL(dashboard.url);
  const found = await measureReview(page, `${origin}/stories/large/review`);
  const { firstFile, frame, work, heap, elements } = found;
  return {
    table: formatTable([
      ['review', `${FILES} files, ${LINES} lines`],
      ['the first file is shown', formatTime(firstFile)],
      ['between two frames while scrolling, median', formatTime(frame)],
      ['  main thread for a frame', formatTime(work)],
      ['heap after all files were shown', formatMemory(heap)],
      ['  elements on the page', String(elements)],
    ]),
    targets: [
      {
        about: 'review: the first file is shown',
        found: formatTime(firstFile),
        limit: formatTime(FIRST_MS),
        met: firstFile <= FIRST_MS,
      },
      {
        about: 'review: main thread for a frame while scrolling',
        found: formatTime(work),
        limit: formatTime(FRAME_MS),
        met: work <= FRAME_MS,
      },
      {
        about: 'review: heap of the tab',
        found: formatMemory(heap),
        limit: formatMemory(HEAP_MB),
        met: heap <= HEAP_MB,
      },
    ],
  };
}
