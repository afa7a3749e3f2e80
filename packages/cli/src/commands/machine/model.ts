import { loadStory } from '@saga-ai/core/plan/stories';
import { walkTasks } from '@saga-ai/model/policies/walk-tasks';
import { loadScript } from '@saga-ai/model/script';
import { startModel } from '@saga-ai/model/start-model';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import type { ModelJson } from '@saga-ai/types/screens/json/machine';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { untilAborted } from '../../stop-signal.ts';

export const command: Command<ModelJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.ModelJson),
  options: {
    script: { type: 'text', value: 'FILE', help: 'play this script; else it walks the task list' },
    story: { type: 'text', value: 'ID', help: 'work as the rehearsal hints of its tasks say' },
    port: { type: 'text', value: 'N', help: 'a free one if not given' },
  },
  about: `A model that costs nothing: the Messages API on loopback. Point a client at it with the
address it prints; it serves until it is interrupted.`,
  async run(invocation) {
    const { out, text } = invocation;
    const stop = environment.stopSignal();
    const script = text('script');
    const port = Number(text('port') ?? 0);
    await using model = await startModel({
      ...(script === undefined
        ? { policy: walkTasks({ rehearsals: collectRehearsals(invocation) }) }
        : { script: loadScript(script) }),
      port,
    });
    if (out.json) out.value({ url: model.url });
    else out.lines([`ANTHROPIC_BASE_URL=${model.url} ANTHROPIC_API_KEY=scripted`]);
    await untilAborted(stop);
    for (const error of model.errors) out.problems([error]);
    return model.errors.length > 0 ? 1 : 0;
  },
};

function collectRehearsals({ text, paths }: Invocation): Record<string, Rehearsal> {
  const storyId = text('story');
  if (storyId === undefined) return {};
  const { tasks } = loadStory(paths(), storyId);
  return Object.fromEntries(tasks.flatMap((it) => (it.rehearsal ? [[it.id, it.rehearsal]] : [])));
}
