import { SagaError } from '@saga-ai/core/errors';
import { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import type { ChangeEvent } from '@saga-ai/types/screens/live';
import type { Overview } from '@saga-ai/types/screens/overview';
import { OVERVIEW_VERSION } from '@saga-ai/types/screens/overview-version';
import { parseEpicSession } from '@saga-ai/types/words/names';
import { LiveBlock } from './output/live-block.ts';
import type { Output } from './output/output.ts';

/**
 * How often the status is read again without a change: the live project does not report that a time in the text is
 * older, or that an epic was paused.
 */
const LOOK_AGAIN_MS = 2000;
/** How long to wait for further changes before all of them are shown together. */
const TOGETHER_MS = 100;

/** Shows a project again whenever something in it changes. It ends when the person ends it. */
export async function watchStatus(
  paths: Paths,
  env: Environment,
  out: Pick<Output, 'json'>,
  format: (overview: Overview) => Promise<string[]>,
): Promise<number> {
  if (out.json || !process.stdout.isTTY) {
    throw new SagaError(
      'usage',
      '--watch needs a terminal and no --json.',
      'Ask once: saga status --json. Follow an epic: saga logs -f <epic> --json',
    );
  }
  // A file that cannot be read now is read again with the next change.
  const project = await LiveProject.open(paths, env, () => {});
  try {
    const look = () => {
      const { stories, epics, problems } = project.overview;
      return format({
        version: OVERVIEW_VERSION,
        ...{ stories: [...stories], epics: [...epics], problems: [...problems] },
      });
    };
    const block = new LiveBlock();
    // A first look that fails ends the command; later ones may meet a file that is being written.
    block.draw(await look());
    let wake = () => {};
    project.changes.listen(({ change }) => {
      if (isShown(change)) wake();
    });
    await project.follow();
    for (;;) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_AGAIN_MS);
        wake = () => {
          clearTimeout(timer);
          setTimeout(resolve, TOGETHER_MS);
        };
      });
      block.draw(await look().catch(() => ['The plan cannot be read now. Look: saga check']));
    }
  } finally {
    await project.close();
  }
}

/**
 * Returns whether a change is shown. The output of a worker grows many times a second, and the status shows only the
 * output of a scheduler.
 */
const isShown = ({ stories, epics, sessions }: ChangeEvent): boolean =>
  stories.length + epics.length > 0 || sessions.some((it) => parseEpicSession(it) !== undefined);
