import type { Overview } from '@saga-ai/types/screens/overview';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { messageOf } from '../errors.ts';
import { chooseForge } from '../forge/choose-forge.ts';
import type { PullRequests } from '../forge/forge.ts';
import type { PullRequest } from '../forge/gh.ts';
import { loadStory } from '../plan/stories.ts';
import { formatClosing, inert } from '../worker/deliver/pull-request-body.ts';
import type { EpicRun } from './context.ts';
import { saveOnBranch } from './epic-branch.ts';
import type { EpicItem } from './layout.ts';

/** The pull requests of an epic and of the epics inside it. Trouble with GitHub never stops the work. */
export class EpicPullRequests {
  readonly #run: EpicRun;
  readonly #gh: PullRequests | undefined;
  readonly #pulls = new Map<string, PullRequest>();
  readonly #failed = new Set<string>();
  readonly #bodies = new Map<string, string>();
  readonly #issues: ReadonlyMap<string, string>;

  constructor(run: EpicRun) {
    this.#run = run;
    this.#issues = findIssues(run);
    const { worker, base } = run;
    const { paths, env, network, config } = worker;
    this.#gh = chooseForge({
      ...{ folder: paths.root, env, limits: network, mode: config.pullRequest.mode },
      remote: base.remote,
    }).pulls;
  }

  /** Finds or opens the draft of an epic whose branch was pushed. */
  async ensure(epicId: string, base: string | undefined): Promise<void> {
    if (!this.#gh || base === undefined || this.#pulls.has(epicId) || this.#failed.has(epicId)) {
      return;
    }
    const { worker, git, base: place, epics } = this.#run;
    const { emit } = worker;
    const branch = formatEpicBranch(epicId);
    try {
      const [open] = (await this.#gh.list(branch)).filter((it) => it.state === 'OPEN');
      if (open) {
        emit('pull-request:found', { number: open.number, url: open.url, draft: open.isDraft });
        this.#pulls.set(epicId, open);
      } else {
        const title = `Epic: ${epicId}`;
        const body = epics.get(epicId)?.description ?? '';
        const created = await this.#gh.createDraft({ title, body, head: branch, base });
        this.#pulls.set(epicId, created);
        emit('pull-request:created', { number: created.number, url: created.url });
      }
      const pr = this.#pulls.get(epicId)?.url ?? '';
      await saveOnBranch(epicId, { pr }, { git, base: place, emit, fence: worker.fence });
    } catch (error) {
      this.#failed.add(epicId);
      emit('pull-request:skipped', { reason: messageOf(error) });
    }
  }

  /** Writes where every story stands into the pull requests. */
  async refresh(overview: Pick<Overview, 'stories' | 'epics'>): Promise<void> {
    const { worker, epics, items } = this.#run;
    for (const [epicId, pull] of this.#pulls) {
      const goal = epics.get(epicId)?.description ?? '';
      const body = buildEpicBody(goal, items, epicId, overview, this.#issues);
      if (this.#bodies.get(epicId) === body) continue;
      this.#bodies.set(epicId, body);
      try {
        await this.#gh?.writeBody(pull, body);
      } catch (error) {
        const reason = messageOf(error);
        worker.emit('pull-request:not-updated', { number: pull.number, what: 'text', reason });
      }
    }
  }

  async markReady(epicId: string): Promise<void> {
    const pull = this.#pulls.get(epicId);
    if (!pull || !this.#gh) return;
    const { number, url, isDraft } = pull;
    try {
      if (isDraft) await this.#gh.markReady(number);
      pull.isDraft = false;
      this.#run.worker.emit('pull-request:ready', { number, url, wasDraft: isDraft });
    } catch (error) {
      this.#run.worker.emit('pull-request:not-ready', { number, reason: messageOf(error) });
    }
  }
}

/** Builds the text of the pull request: the goal, and the tree of stories with their states. */
export function buildEpicBody(
  goal: string,
  items: readonly EpicItem[],
  epicId: string,
  { stories, epics }: Pick<Overview, 'stories' | 'epics'>,
  issues: ReadonlyMap<string, string> = new Map(),
): string {
  const views = new Map([...stories, ...epics].map((it) => [it.id, it]));
  const list = (epic: string, indent: string): string[] =>
    items
      .filter((it) => it.epic === epic)
      .flatMap(({ id, kind }) => {
        const view = views.get(id);
        const { title = id, state = 'waiting', pr } = view ?? {};
        const box = state === 'done' ? 'x' : ' ';
        const link = pr ? ` ${pr}` : '';
        const shown = issues.has(id) ? inert(title) : title;
        const line = `${indent}- [${box}] **${id}** ${shown} (${state})${link}`;
        return [line, ...(kind === 'epic' ? list(id, `${indent}  `) : [])];
      });
  const closings = listBelow(items, epicId).flatMap((id) => {
    const issue = issues.get(id);
    return issue === undefined
      ? []
      : [formatClosing({ issue, pr: views.get(epicId)?.pr ?? undefined })];
  });
  const rows = ['## Stories', '', ...list(epicId, ''), '', ...closings.filter((it) => it !== '')];
  return [goal, '', ...rows].join('\n').trim();
}

const listBelow = (items: readonly EpicItem[], epic: string): string[] =>
  items
    .filter((it) => it.epic === epic)
    .flatMap(({ id, kind }) => (kind === 'epic' ? listBelow(items, id) : [id]));

/** Finds the issues that the stories came from. Another check reports a story that cannot be read. */
function findIssues({ items, worker }: EpicRun): Map<string, string> {
  const found = new Map<string, string>();
  for (const { id } of items.filter((it) => it.kind === 'story')) {
    try {
      const { issue } = loadStory(worker.paths, id).story;
      if (issue !== undefined) found.set(id, issue);
    } catch {
      // Its pull request then names no issue.
    }
  }
  return found;
}
