import { join } from 'node:path';
import type { EpicHistoryAnswer } from '@saga-ai/types/screens/dashboard';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { parseSession } from '@saga-ai/types/words/names';
import { SagaError } from '../../errors.ts';
import type { Git } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { notFound } from '../../plan/not-found.ts';
import { scanStory } from '../../plan/scan-story.ts';
import type { Environment } from '../../processes/run.ts';
import type { LiveOverview } from '../live/live-overview.ts';
import type { LiveProject } from '../live/live-project.ts';
import { sameValue } from '../live/same-value.ts';
import {
  type CompletionTimes,
  deriveHistory,
  findCompletionTimes,
  type NotedStatus,
} from './derive-history.ts';
import { listTips, loadGitStatuses } from './git-statuses.ts';
import { NotedStatuses } from './noted-statuses.ts';

/** How long an answer waits for files and git. What they say later is sent as an event. */
const WAIT_MS = 20;
/** A commit changes no watched file, so git is asked with every request, but not more often than this. */
const GIT_PACE_MS = 1000;
/** A completion without a time may be committed soon; after this time git is asked again. */
const LATER_MS = 2000;
const REMEMBERED = 50;

/** What is known about one epic. */
interface Known {
  inFiles: NotedStatus[];
  inGit: NotedStatus[];
  /** The commits and stories that git was asked about. */
  gitTips: string[];
  gitStories: string;
  /** git is not asked again before this time. */
  gitPause: number;
  isRead: boolean;
  /** Resolves to whether anything changed. */
  reading: Promise<boolean> | undefined;
  later?: NodeJS.Timeout;
}

/** Finds when the tasks below epics were completed, from output files and git. */
export class EpicHistories {
  readonly #project: LiveProject;
  readonly #git: Git;
  readonly #files = new NotedStatuses();
  readonly #epics = new Map<string, Known>();

  constructor(project: LiveProject, env: Environment) {
    this.#project = project;
    this.#git = openPlainGit(project.paths.root, env);
  }

  async find(id: string): Promise<EpicHistoryAnswer> {
    const { overview, paths } = this.#project;
    if (!overview.epic(id)) throw notFound(paths, id);
    const stories = listStoriesBelow(overview, id);
    const known = this.#recall(id);
    const reading = this.#read(known, stories);
    if (!(await isDoneWithin(WAIT_MS, reading))) this.#publishIfChanged(id, reading);
    const times = findCompletionTimes([...known.inFiles, ...known.inGit], Date.now());
    const history = deriveHistory(
      stories.map((story) => {
        const { title, progress } = story;
        return { id: story.id, title, progress, times: this.#keepCompleted(story, times) };
      }),
    );
    if (history.undated > 0 && known.isRead) this.#lookLater(id, known, stories);
    return { ...history, isRead: known.isRead };
  }

  #lookLater(id: string, known: Known, stories: readonly StoryView[]): void {
    clearTimeout(known.later);
    const wait = Math.max(LATER_MS, known.gitPause - performance.now() + 1);
    const look = () => this.#publishIfChanged(id, this.#read(known, stories));
    known.later = setTimeout(look, wait).unref();
  }

  #publishIfChanged(id: string, reading: Promise<boolean>): void {
    reading.then(
      (isChanged) => isChanged && this.#project.tellEpic(id),
      // The next request meets the same error and reports it.
      () => {},
    );
  }

  #recall(id: string): Known {
    const known = this.#epics.get(id) ?? {
      ...{ inFiles: [], inGit: [], isRead: false, reading: undefined },
      ...{ gitTips: [], gitStories: '', gitPause: 0 },
    };
    this.#epics.delete(id);
    this.#epics.set(id, known);
    const [oldest] = this.#epics.keys();
    if (this.#epics.size > REMEMBERED && oldest !== undefined) this.#epics.delete(oldest);
    return known;
  }

  /** Runs one read at a time; calls meanwhile get the same promise. */
  #read(known: Known, stories: readonly StoryView[]): Promise<boolean> {
    known.reading ??= this.#readAll(known, stories).finally(() => {
      known.reading = undefined;
    });
    return known.reading;
  }

  async #readAll(known: Known, stories: readonly StoryView[]): Promise<boolean> {
    const { inFiles, inGit, isRead } = known;
    known.inFiles = await this.#readFiles(stories);
    await this.#askGit(known, stories);
    known.isRead = true;
    return !isRead || !sameValue(inFiles, known.inFiles) || inGit !== known.inGit;
  }

  async #readFiles(stories: readonly StoryView[]): Promise<NotedStatus[]> {
    const { sessions } = this.#project;
    const wanted = new Set(stories.map(({ id }) => id));
    const found = new Map<string, readonly NotedStatus[]>();
    for (const name of sessions.list()) {
      const story = parseSession(name)?.storyId;
      const session = story !== undefined && wanted.has(story) ? sessions.find(name) : undefined;
      if (story === undefined || !session || found.has(session.outputFile)) continue;
      const { outputFile, outputSize } = session;
      found.set(outputFile, await this.#files.read(outputFile, story, outputSize));
    }
    return [...found.values()].flat();
  }

  async #askGit(known: Known, stories: readonly StoryView[]): Promise<void> {
    const start = performance.now();
    if (start < known.gitPause) return;
    try {
      await this.#readGit(known, stories);
    } catch (error) {
      // Without git, only the output files are used.
      if (!(error instanceof SagaError)) throw error;
    }
    // If git is slow, spend at most a tenth of the time on it.
    const end = performance.now();
    known.gitPause = end + Math.max(GIT_PACE_MS, 9 * (end - start));
  }

  /** Reads only new commits if the stories are the same: a commit never changes. */
  async #readGit(known: Known, stories: readonly StoryView[]): Promise<void> {
    const tips = await listTips(this.#git, stories);
    const ids = stories.map(({ id }) => id).join(' ');
    const isSame = ids === known.gitStories;
    if (!tips || (isSame && sameValue(tips, known.gitTips))) return;
    const news = isSame && (await loadGitStatuses(this.#git, stories, tips, known.gitTips));
    // git cannot exclude a commit that is no longer in the repository.
    const found = news
      ? [...known.inGit, ...news]
      : await loadGitStatuses(this.#git, stories, tips);
    if (!found) return;
    if (!news || news.length > 0) known.inGit = found;
    known.gitTips = tips;
    known.gitStories = ids;
  }

  /** Leaves out tasks that were completed once but are open now: a person opened them again. */
  #keepCompleted(
    { id, home, progress }: StoryView,
    all: ReadonlyMap<string, CompletionTimes>,
  ): CompletionTimes {
    const times = all.get(id) ?? new Map<string, number>();
    if (times.size <= progress.completed) return times;
    const { root } = this.#project.paths;
    const { tasks } = scanStory(root, join(root, home), id);
    const completed = tasks.filter((task) => task.status === 'completed');
    return new Map(
      completed.flatMap((task) => {
        const time = times.get(task.id);
        return time === undefined ? [] : [[task.id, time]];
      }),
    );
  }
}

/** Returns each story once, although epics may contain each other. */
function listStoriesBelow(overview: LiveOverview, epicId: string): StoryView[] {
  // Iterating a Set also visits elements added during the loop.
  const ids = new Set([epicId]);
  for (const id of ids) for (const child of overview.epic(id)?.children ?? []) ids.add(child.id);
  return [...ids].flatMap((id) => overview.story(id) ?? []);
}

async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true as const), isLate]);
  } finally {
    clearTimeout(timer);
  }
}
