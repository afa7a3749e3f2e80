import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createShop } from '../test/rig/project/shop.ts';

/**
 * `npm run dev -- <project>` serves the page of a project from the sources: a change of a page is shown at once, a
 * change of the server starts it again. Without a project it shows a small one in a temporary folder.
 */
const [named] = process.argv.slice(2);
const sample = named === undefined ? createShop() : undefined;
const project = sample?.root ?? resolve(process.env.INIT_CWD ?? '', named ?? '');
const children: ChildProcess[] = [];
process.on('exit', () => {
  for (const child of children) child.kill();
  sample?.[Symbol.dispose]();
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const port = String(await findPort());
const server = ['packages/cli/src/main.ts', '--project', project, 'dashboard', '--port', port];
const url = await start(process.execPath, ['--watch', '--watch-preserve-output', ...server]);
process.env.SAGA_DEV_SERVER = new URL(url).origin;
const vite = ['node_modules/vite/bin/vite.js', '--clearScreen=false', '--host=127.0.0.1'];
const page = await start(process.execPath, vite, 'packages/dashboard');
process.stdout.write(`\nopen  ${new URL(new URL(url).search, page)}\n  Ctrl-C ends it\n`);

/** Resolves with the first address that the program prints. The program goes on, and its end ends everything. */
function start(program: string, args: string[], cwd?: string): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  child.on('exit', (code) => process.exit(code ?? 1));
  return new Promise((found) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      said += text;
      const [match] = /http:\/\/\S+/.exec(stripVTControlCharacters(said)) ?? [];
      if (match !== undefined) found(match);
    });
  });
}

function findPort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
