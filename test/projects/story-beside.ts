import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureProject } from '@saga-ai/core/authoring/init';
import { loadConfig } from '@saga-ai/core/plan/config';
import { ensureWorktree } from '@saga-ai/core/worker/prepare/ensure-worktree';
import { type Ended, runCommand } from '../rig/programs/run-program.ts';
import { createProject, type Project } from '../rig/project/project.ts';

/** A small package with a suite of its own, and a story that has added a test in its worktree. */
export interface StoryBeside extends Disposable {
  project: Project;
  /** Of the story. */
  worktree: string;
  /** What `saga init` found, and the worker ran in the worktree. */
  setup: string | null;
  /** Runs the suite of a checkout. */
  test(checkout: string): Promise<Ended & { output: string }>;
}

export interface PackageOptions {
  /** Of package.json. */
  manifest: object;
  files: Record<string, string>;
  /** The test that only the story has. */
  added: [path: string, text: string];
  /** `worktree.folder`, if it is not the default. */
  folder?: string;
  /** Without it the package keeps no lock file, as some do. */
  lock?: boolean;
  /** Installed in the main checkout, as a person who works there has it. */
  install?: boolean;
}

export async function createStoryBeside(options: PackageOptions): Promise<StoryBeside> {
  const project = createProject({ name: 'a package' });
  project.write('package.json', { name: 'a-package', version: '1.0.0', ...options.manifest });
  for (const [path, text] of Object.entries(options.files)) project.write(path, text);
  project.write('.gitignore', 'node_modules/\n');
  if (!options.lock) project.write('.npmrc', 'package-lock=false\n');
  if (options.install) await install(project.root);
  project.git('rm', '-q', '.saga/config.json');
  ensureProject(project.root);
  project.story('x');
  project.git('add', '-A');
  project.git('commit', '-qm', 'A package');
  project.git('push', '-q');
  const { config } = loadConfig(project.paths, { flags: { 'worktree.folder': options.folder } });
  // npm finds its registry and its cache as it does for the person who runs this.
  const env = { ...project.env, ...personal() };
  const more = { env, config, deadline: Date.now() + 30 * 60_000 };
  const { folder } = await ensureWorktree(project.worker({}, more));
  const [path, text] = options.added;
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return {
    project,
    worktree: folder,
    setup: config.worktree.setup,
    async test(checkout) {
      const run = await runCommand('npm', ['test', '--silent'], { cwd: checkout, env });
      return { ...run, output: `${run.stdout}${run.stderr}` };
    },
    [Symbol.dispose]: () => project[Symbol.dispose](),
  };
}

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

async function install(root: string): Promise<void> {
  const run = await runCommand('npm', ['install', ...QUIET], { cwd: root, env: personal() });
  if (run.code !== 0) throw new Error(`npm install failed in ${root}: ${run.stderr}`);
}

/** How npm reaches its registry here; git of the test keeps its own home. */
export function personal(): Record<string, string> {
  const { HOME = '' } = process.env;
  const given = Object.entries(process.env).filter(([key]) => REACH.test(key));
  return {
    // The packages are asked for by the Node that runs the tests.
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    npm_config_userconfig: join(HOME, '.npmrc'),
    npm_config_cache: join(HOME, '.npm'),
    ...(Object.fromEntries(given) as Record<string, string>),
    npm_config_update_notifier: 'false',
    NO_COLOR: '1',
  };
}

const REACH = /^(npm_config_.*|NODE_EXTRA_CA_CERTS|(https?|no)_proxy)$/i;
