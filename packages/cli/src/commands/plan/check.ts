import { checkProject } from '@saga-ai/core/authoring/check';
import type { CheckJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command<CheckJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.CheckJson),
  about:
    'Reads every file in .saga again, without the index. The exit code is 1 if there is a problem.',
  async run({ paths, out }) {
    const { problems, stories, epics } = await checkProject(paths(), environment.handedOver());
    const code = problems.length > 0 ? 1 : 0;
    if (out.json) {
      out.value({ problems, stories, epics });
      return code;
    }
    out.problems(problems);
    const counted = `${count(stories, 'story', 'stories')}, ${count(epics, 'epic', 'epics')}`;
    out.lines([
      code === 0
        ? `${out.paint('done', '✓')} ${counted}, no problems`
        : `${count(problems.length, 'problem', 'problems')} in ${counted}`,
    ]);
    return code;
  },
};
