// Makes a fresh clone ready: dependencies, with the Node the project runs on. `setup.mjs tests` also
// sees to the programs that the tests drive. `setup.mjs then <script> …` runs a script afterwards: a shell
// would not find the Node that has just been installed. Runs on whatever Node is there, so it uses built-ins only
// and plain JavaScript.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@10.34.9';
/** Program on PATH to the Debian package that brings it. */
const PROGRAMS = {
  git: 'git',
  tmux: 'tmux',
  gh: 'gh',
  chromium: 'chromium',
  bwrap: 'bubblewrap',
  'git-lfs': 'git-lfs',
  lsof: 'lsof',
  postgres: 'postgresql',
};
/** Debian keeps PostgreSQL's programs off the PATH, in a folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';

// There is no bubblewrap but on Linux.
if (process.platform !== 'linux') delete PROGRAMS.bwrap;

/** Without tests, only git is needed; the rest is offered. */
const words = process.argv.slice(2);
const isForTests = words[0] === 'tests';
const wanted = isForTests ? Object.keys(PROGRAMS) : ['git', 'tmux'];
/** What the person typed. */
const typed = `npm run ${(process.env.npm_lifecycle_event ?? 'setup').replace(/^pre/, '')}`;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
ensureDependencies();
ensurePrograms();
sayNodeIsOld();
if (words.includes('then')) runScript(words.slice(words.indexOf('then') + 1));

/** Installs only when a manifest or the lock file changed since the last time. */
function ensureDependencies() {
  const stamp = join('node_modules', '.saga-setup');
  const fingerprint = fingerprintOf([
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'test/package.json',
    ...readdirSync('packages').map((name) => join('packages', name, 'package.json')),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  say(`installing dependencies (${PNPM})`);
  run('npx', ['--yes', PNPM, 'install', '--frozen-lockfile', '--prefer-offline'], {
    failure: `The dependencies could not be installed. Check the network and run ${typed} again.`,
  });
  mkdirSync('node_modules', { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** The clone brings a Node of its own, but the installed `saga` uses the one of the person, which started npm. */
function sayNodeIsOld() {
  const program = process.env.npm_node_execpath ?? process.execPath;
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  if (major === 0 || major > 22 || (major === 22 && minor >= 18)) return;
  process.stderr.write(
    `set-up: the saga command needs Node 22.18 or later; this is ${version}. Put a newer one first on PATH.\n`,
  );
}

/** With the Node of the project, which npm has put first on PATH. Ends as the script ends. */
function runScript(script) {
  const child = spawn('node', script, { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; any other signal is only for this process.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

function ensurePrograms() {
  const packages = wanted.filter((program) => !isOnPath(program)).map((it) => PROGRAMS[it]);
  if (packages.length === 0) return;
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    if (!isForTests && isOnPath('git')) return;
    const sudo = isOnPath('apt-get') ? 'sudo sh -c ' : '';
    stop(
      `Missing programs: ${packages.join(', ')}. Install them, then run ${typed} again:`,
      sudo
        ? `${sudo}'apt-get update && ${install}'`
        : `with your package manager: ${packages.join(' ')}`,
    );
  }
  say(`installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const failure = `The programs could not be installed. Try it yourself: apt-get update && ${install}`;
  const isNeeded = isForTests || packages.includes('git');
  const isUpdated = run('apt-get', ['update', '-q'], { env, failure, isNeeded });
  if (isUpdated) run('apt-get', install.split(' ').slice(1), { env, failure, isNeeded });
}

function isOnPath(program) {
  const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(POSTGRESQL, version, 'bin')),
  ].some((folder) => existsSync(join(folder, program)));
}

function fingerprintOf(files) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of files) if (existsSync(file)) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

/** To a person at a terminal all is shown as it comes; elsewhere only what fails has something to say. */
function run(program, args, { env = process.env, failure, isNeeded = true }) {
  const isWatched = isNeeded && process.stderr.isTTY === true;
  const stdio = isWatched ? ['ignore', 'inherit', 'inherit'] : 'pipe';
  const result = spawnSync(program, args, { env, stdio, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status === 0) return true;
  if (!isNeeded) return false;
  process.stderr.write(
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`,
  );
  stop(failure, `${program} ${args.join(' ')}`);
}

function say(text) {
  process.stderr.write(`set-up: ${text} …\n`);
}

function stop(...lines) {
  process.stderr.write(`\n${lines.join('\n  ')}\n`);
  process.exit(1);
}
