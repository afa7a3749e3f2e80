import { SagaError } from '@saga-ai/core/errors';
import { watchProject } from '@saga-ai/core/overview/watch/watch';
import type { Paths } from '@saga-ai/core/project/paths';
import { LiveBlock } from './output/live-block.ts';
import type { Output } from './output/output.ts';

/** Times in the text, and merges on the remote, change no file here. */
const LOOK_AGAIN_MS = 2000;
/** Several changes in a row are shown together. */
const TOGETHER_MS = 100;

/** Shows lines again whenever something in the project changes. It ends when the person ends it. */
export async function watchStatus(
  paths: Paths,
  out: Pick<Output, 'json'>,
  load: () => Promise<string[]>,
): Promise<number> {
  if (out.json || !process.stdout.isTTY) {
    throw new SagaError(
      'usage',
      '--watch needs a terminal and no --json.',
      'Ask once: saga status --json. Follow an epic: saga logs -f <epic> --json',
    );
  }
  const block = new LiveBlock();
  // A first look that fails ends the command; later ones may meet a file that is being written.
  block.draw(await load());
  let wake = () => {};
  const watch = await watchProject(paths, async () => wake());
  try {
    for (;;) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_AGAIN_MS);
        wake = () => {
          clearTimeout(timer);
          setTimeout(resolve, TOGETHER_MS);
        };
      });
      block.draw(await load().catch(() => ['The plan cannot be read now. Look: saga check']));
    }
  } finally {
    await watch.stop();
  }
}
