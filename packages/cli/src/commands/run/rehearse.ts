import { SagaError } from '@saga-ai/core/errors';
import { loadConfig } from '@saga-ai/core/plan/config';
import { loadItem } from '@saga-ai/core/plan/resolve';
import type { LoadedStory } from '@saga-ai/core/plan/stories';
import type { Paths } from '@saga-ai/core/project/paths';
import { type RehearsalEnd, rehearseStory } from '@saga-ai/core/rehearsal/rehearse-story';
import { fitTests, fitWork } from '@saga-ai/model/policies/fit-work';
import { probeGuard } from '@saga-ai/model/policies/probe-guard';
import { hasHints } from '@saga-ai/model/policies/task-work';
import { walkTasks } from '@saga-ai/model/policies/walk-tasks';
import { startModel } from '@saga-ai/model/start-model';
import type { Finding } from '@saga-ai/types/screens/finding';
import type { RehearseJson } from '@saga-ai/types/screens/json/run';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { countFindings, formatFindings } from '../../output/findings.ts';
import { createPassingLine } from '../../output/passing-line.ts';
import { settleTrust, TRUST_OPTION } from '../../trust/settle-trust.ts';

const PROBE = 'saga-rehearsal-probe';

export const command: Command<RehearseJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.RehearseJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  options: {
    keep: { type: 'boolean', help: 'keep the branch and the worktree' },
    ...TRUST_OPTION,
  },
  about: `Runs a worker for the story in this repository with the real Claude Code, but with a scripted model
and a local copy in place of the remote. It costs nothing, and nothing leaves this machine. The scripted model
does what the rehearsal hints of each task say; for a task without hints it writes a small file. The work is
done on the branch rehearsal/<story>, which is removed afterwards. The exit code is 1 if a step failed.`,
  examples: ['saga rehearse cart-api', 'saga rehearse cart-api --keep'],
  async run({ args, paths, out, flag }) {
    const { root } = paths();
    const { story, tasks } = loadOneStory(paths(), args[0] ?? '');
    const env = await settleTrust({
      paths: paths(),
      storyIds: [story.id],
      env: environment.handedOver(),
      out,
      isGiven: flag('trust'),
    });
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const { gate } = loadConfig(paths(), { environment: env }).config;
    const boundsOf = (id: string) => ({
      writeFiles: byId.get(id)?.writeFiles ?? story.writeFiles,
      protectedFiles: gate.protectedFiles,
    });
    const walk = walkTasks({
      rehearsals: (id) => {
        const task = byId.get(id);
        if (!task || hasHints(task.rehearsal)) return task?.rehearsal;
        return fitWork(task, boundsOf(id));
      },
      tests: (task) => fitTests(task, boundsOf(task.id), gate.testFiles),
    });
    await using model = await startModel({ policy: probeGuard(walk, PROBE) });
    const passing = createPassingLine(out);
    passing.show(`rehearsing ${story.id} with a scripted model`);
    const { findings, kind, outputFile, elapsedMs, wasStopped, kept } = await rehearseStory({
      root,
      storyId: story.id,
      env,
      model: { url: model.url, countAnswers: () => model.requests.length, probe: PROBE },
      isRoot: environment.userId() === 0,
      stop: environment.stopSignal(),
      keep: flag('keep'),
      listen: passing.read,
    }).finally(() => passing[Symbol.dispose]());
    const { problems, warnings } = countFindings(findings);
    const holds = problems === 0 && !wasStopped;
    if (out.json) {
      out.value({ story: story.id, holds, findings, outputFile, elapsedMs, kept: kept ?? null });
      return holds ? 0 : 1;
    }
    const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
    const verdict = wasStopped
      ? out.paint('waiting', 'stopped before the end')
      : problems > 0
        ? out.paint('needs-you', `${count(problems, 'problem')}: a run of ${story.id} would fail`)
        : kind === 'needs-you'
          ? out.paint('waiting', `a run of ${story.id} would wait for you`)
          : out.paint('done', `a run of ${story.id} would succeed`);
    out.lines([
      ...formatFindings(findings, out),
      '',
      [verdict, ...(warnings > 0 ? [count(warnings, 'warning')] : []), seconds].join(' · '),
      ...describeRemains(findings, kept),
      `log: ${outputFile}`,
    ]);
    return holds ? 0 : 1;
  },
};

/** Says what became of the branch and the worktree. Returns no lines if they were never created. */
function describeRemains(findings: readonly Finding[], kept: RehearsalEnd['kept']): string[] {
  if (kept) return [`kept: branch ${kept.branch}`, `      in ${kept.worktree}`];
  const wasMade = findings.some(({ name, state }) => name === 'worktree' && state === 'ok');
  return wasMade ? ['The branch and the worktree were removed.'] : [];
}

function loadOneStory(paths: Paths, id: string): LoadedStory {
  const item = loadItem(paths, id);
  if (item.kind === 'story') return item;
  throw new SagaError(
    'usage',
    `${id} is an epic; saga rehearse takes one story.`,
    `Its stories: ${item.epic.children.map((child) => child.id).join(', ')}`,
  );
}
