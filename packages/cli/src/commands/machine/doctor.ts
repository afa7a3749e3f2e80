import { clearSessionFolder } from '@saga-ai/core/doctor/check-sessions';
import { clearLeftovers } from '@saga-ai/core/doctor/clear-leftovers';
import { examine } from '@saga-ai/core/doctor/examine';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths } from '@saga-ai/core/project/paths';
import { startModel } from '@saga-ai/model/start-model';
import type { DoctorJson } from '@saga-ai/types/screens/json/machine';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { countFindings, formatFindings } from '../../output/findings.ts';
import { createPassingLine } from '../../output/passing-line.ts';

export const command: Command<DoctorJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.DoctorJson),
  options: { fix: { type: 'boolean', help: 'remove what dead processes left behind' } },
  about: `Checks that this machine and this project have everything a story needs, and says how to get what
is missing. To check Claude Code, doctor starts it with a scripted model, which takes a second and costs
nothing. The exit code is 1 if there is a problem. A warning names something that SAGA can do without.`,
  examples: ['saga doctor', 'saga doctor --fix'],
  async run({ folder, out, flag }) {
    const env = environment.handedOver();
    const stop = environment.stopSignal();
    const root = lookForProject(folder)?.root;
    const cleared = flag('fix') && root ? await clearLeftovers(buildPaths(root), env) : undefined;
    const closed = flag('fix') ? clearSessionFolder(env, environment.userId()) : [];
    const fixed = [...(cleared?.fixed ?? []), ...closed];
    await using model = await startModel({ policy: () => ({ text: 'I am here.' }) });
    using passing = createPassingLine(out);
    passing.show('checking, and starting the client');
    const looked = await examine({
      folder,
      root,
      env,
      clientHome: environment.claudeConfig(env),
      userId: environment.userId(),
      nodeVersion: process.version,
      modelUrl: model.url,
      stop,
    });
    passing[Symbol.dispose]();
    const findings = [...(cleared?.left ?? []), ...looked];
    const { problems, warnings } = countFindings(findings);
    const isTrusted = findings.every(({ name, state }) => name !== 'trust' || state === 'ok');
    const holds = problems === 0 && !stop.aborted;
    if (out.json) out.value({ holds, findings, fixed });
    else {
      const verdict = stop.aborted
        ? out.paint('waiting', 'stopped before the end')
        : problems > 0
          ? out.paint('needs-you', count(problems, 'problem'))
          : isTrusted
            ? out.paint('done', root ? 'ready to run stories' : 'this machine is ready')
            : out.paint('waiting', 'ready once you agree to what this project runs: saga trust');
      out.lines([
        ...fixed.map((line) => `${out.paint('done', '✓')} ${line}`),
        ...formatFindings(findings, out),
        '',
        [verdict, ...(warnings > 0 ? [count(warnings, 'warning')] : [])].join(' · '),
      ]);
    }
    return holds ? 0 : 1;
  },
};
