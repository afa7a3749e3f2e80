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

const PROBE = 'saga-rehearsal-probe';

export const command: Command<RehearseJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.RehearseJson),
  args: [{ name: 'story', help: 'a story', required: true, complete: 'story' }],
  options: { keep: { type: 'boolean', help: 'leave the branch and the worktree for a look' } },
  about: `Does all that a worker does, in this repository and with the real client, but with a scripted model
and a stand-in for the remote: nothing is spent, nothing leaves this machine. The work is what the
tasks' rehearsal hints say, else a small file each, on the branch rehearsal/<story>, which is removed
afterwards. It shows what would work and what would not. Exit code 1 when something would not.`,
  examples: ['saga rehearse cart-api', 'saga rehearse cart-api --keep'],
  async run({ args, paths, out, flag }) {
    const { root } = paths();
    const { story, tasks } = loadOneStory(paths(), args[0] ?? '');
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const { gate } = loadConfig(paths(), { environment: environment.variables() }).config;
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
      env: environment.handedOver(),
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
      ? out.paint('waiting', 'stopped before its end')
      : problems > 0
        ? out.paint(
            'needs-you',
            `${count(problems, 'problem')}: ${story.id} would not come through`,
          )
        : kind === 'needs-you'
          ? out.paint('waiting', `${story.id} would wait for you`)
          : out.paint('done', `${story.id} would come through`);
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

/** Of what was never made there is nothing to say. */
function describeRemains(findings: readonly Finding[], kept: RehearsalEnd['kept']): string[] {
  if (kept) return [`kept: branch ${kept.branch}`, `      in ${kept.worktree}`];
  const wasMade = findings.some(({ name, state }) => name === 'worktree' && state === 'ok');
  return wasMade ? ['branch and worktree are removed again'] : [];
}

function loadOneStory(paths: Paths, id: string): LoadedStory {
  const item = loadItem(paths, id);
  if (item.kind === 'story') return item;
  throw new SagaError(
    'usage',
    `${id} is an epic; one story is rehearsed at a time.`,
    `Its stories: ${item.epic.children.map((child) => child.id).join(', ')}`,
  );
}
