import type { Config } from '@saga-ai/types/config';
import type { Delivery } from '@saga-ai/types/run/news';
import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import { findDesktopProgram, listChannels, resolveProgram } from '../notify/channels.ts';
import { listTold } from '../notify/told-records.ts';
import { findOnPath, isProgram } from '../processes/find-program.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';

const NAME = 'notify';
const TRY = 'saga notify --test';

/** Checks that the ways that the settings name can work, and reports news that could not be sent. Sends nothing. */
export function checkNotify(paths: Paths, { notify }: Config, env: Environment): Finding[] {
  const channels = listChannels(notify);
  if (channels.length === 0) return [];
  const around = { root: paths.root, env };
  const findings: Finding[] = [];
  if (notify.command) {
    const program = resolveProgram(notify.command[0] ?? '', around);
    const isThere = program.includes('/') ? isProgram(program) : findOnPath(program, env);
    if (!isThere) {
      const what = `${program} of notify.command was not found`;
      findings.push(warning(NAME, what, 'saga config notify.command …'));
    }
  }
  if (notify.desktop) {
    const { path, name } = findDesktopProgram(env);
    if (path === undefined) {
      findings.push(
        warning(NAME, `${name} was not found`, 'Install it, or set notify.desktop to false'),
      );
    }
  }
  for (const { item, record } of listTold(paths)) {
    for (const it of record.deliveries.filter(isFailure)) {
      findings.push(
        warning(NAME, `${item} ${record.on}: not told by ${it.by}: ${it.failure}`, TRY),
      );
    }
  }
  return findings.length > 0 ? findings : [ok(NAME, `you are told by ${channels.join(', ')}`)];
}

const isFailure = ({ failure }: Delivery) => failure !== undefined;
