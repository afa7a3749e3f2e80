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
    script: {
      type: 'text',
      value: 'FILE',
      help: 'play this script (default: work through the task list)',
    },
    story: { type: 'text', value: 'ID', help: 'follow the rehearsal hints of this story' },
    port: { type: 'text', value: 'N', help: 'the port (default: any free port)' },
  },
  about: `Serves the Messages API on loopback, with a scripted model that costs nothing. Start a client with
the printed variables to use it. Ctrl-C ends the server.`,
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
