import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '@saga-ai/core/processes/run';
import { findPersonState } from '@saga-ai/core/project/person-folders';

type Variables = Readonly<Record<string, string | undefined>>;

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const PATIENCE_MS = 1000;

/**
 * Opens an address in the person's browser. Without a browser nothing happens: the address was also
 * printed. The started program may be the browser itself, so it is neither awaited nor ended.
 *
 * All users of a machine can see arguments, and the address holds the token. So the browser is given a file
 * that only this user can read, where no run in a sandbox sees it, and that leads on to the address. Disposing removes
 * the file.
 */
export async function openBrowser(url: string, cwd: string, env: Variables): Promise<Disposable> {
  const [program = '', ...lead] = OPENERS[process.platform] ?? ['xdg-open'];
  const folder = makeFolder(findPersonState(env));
  const file = join(folder, 'dashboard.html');
  writeFileSync(file, formatRedirect(url), { mode: 0o600 });
  const { ended } = startProgram(program, [...lead, file], { cwd, env }, () => {});
  const over = ended.catch(() => {
    // A machine without a screen has no such program.
  });
  await Promise.race([over, sleep(PATIENCE_MS, undefined, { ref: false })]);
  return { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function makeFolder(state: string | undefined): string {
  try {
    if (state !== undefined) {
      mkdirSync(state, { recursive: true, mode: 0o700 });
      return mkdtempSync(join(state, 'open-'));
    }
  } catch {
    // The home cannot be written; then the page is where other programs put such files.
  }
  return mkdtempSync(join(tmpdir(), 'saga-open-'));
}

function formatRedirect(url: string): string {
  const address = url.replace(/[&"<>]/g, (char) => `&#${char.charCodeAt(0)};`);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>SAGA</title>
<a href="${address}">Open the dashboard</a>
`;
}
