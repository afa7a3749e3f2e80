import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The same few variables for everything that is measured, whatever the shell of the person has:
 * NODE_EXTRA_CA_CERTS alone adds tens of milliseconds to each start. The home and temp folders are
 * our own, and what asks for the network is sent to a closed door.
 */
export function createEnvironment(workshop: string): NodeJS.ProcessEnv {
  const home = join(workshop, 'home');
  const temp = join(workshop, 'tmp');
  mkdirSync(home);
  mkdirSync(temp);
  const closed = 'http://127.0.0.1:9';
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: temp,
    HTTP_PROXY: closed,
    HTTPS_PROXY: closed,
  };
}
