import type { Config } from '@saga-ai/types/config';
import { type Finding, ok, problem, warning } from '@saga-ai/types/screens/finding';
import type { Environment } from '../processes/run.ts';
import { findBubblewrap, sandboxRequired } from '../sandbox/find-bubblewrap.ts';

/** Tries the sandbox for real, and looks at what the settings open in its walls. */
export async function checkSandbox(config: Config, env: Environment): Promise<Finding[]> {
  const { sandbox: mode } = config.worker;
  if (mode === 'off') return [ok('sandbox', 'off: a run has your rights')];
  const found = await findBubblewrap(env, config.sandbox.network);
  if ('missing' in found) {
    const { message, hint } = sandboxRequired(found);
    return [
      mode === 'required'
        ? problem('sandbox', message, hint)
        : warning('sandbox', `runs are not enclosed: ${found.missing}`, found.remedy),
    ];
  }
  return [ok('sandbox', 'bubblewrap works'), ...findOpenings(config.sandbox.allow)];
}

/** Sockets by which a run can start programs outside its walls. */
const OPENINGS = /(?:docker|podman|containerd|crio)\b.*\.sock$|\/(?:systemd|dbus)\b|\/bus$/;

function findOpenings(allow: Config['sandbox']['allow']): Finding[] {
  return allow
    .filter((path) => OPENINGS.test(path))
    .map((path) =>
      warning(
        'sandbox',
        `sandbox.allow names ${path}: a run that reaches it can do anything on this machine`,
        `Remove it from sandbox.allow, or run SAGA in a virtual machine`,
      ),
    );
}
