import type { Config } from '@saga-ai/types/config';
import { type Finding, warning } from '@saga-ai/types/screens/finding';
import type { Look } from './check-needs.ts';

/** Adds what the settings open in the walls of a sandbox that works. */
export function lookAtSandbox({ worker, sandbox }: Config): Look {
  return {
    describe(finding, { remedy }) {
      const isEnclosed = worker.sandbox !== 'off' && remedy === undefined;
      return isEnclosed ? [finding, ...findOpenings(sandbox.allow)] : [finding];
    },
  };
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
