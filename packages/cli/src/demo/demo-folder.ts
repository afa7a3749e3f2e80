import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { agent } from '@saga-ai/core/agents/chosen';
import { createFromDraft } from '@saga-ai/core/authoring/create';
import { ensureProject } from '@saga-ai/core/authoring/init';
import { openGit } from '@saga-ai/core/git/git';
import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';
import { TRUST_VARIABLE } from '@saga-ai/core/trust/require-trust';
import { SAMPLE_PLAN } from './sample-plan.ts';
import { SAMPLE_PROGRAM } from './sample-program.ts';

/** The folder that holds everything the demo writes: repository, remote, home, sessions, tmux, temp files. */
export interface DemoFolder {
  folder: string;
  paths: Paths;
  /** The variables of every program that the demo starts. They hold none of the person's settings or accounts. */
  env: Environment;
  /** Path of a `saga` command for another terminal, with the demo's repository and variables. */
  saga: string;
}

export interface DemoSetup {
  env: Environment;
  modelUrl: string;
  claude: string;
}

export function createFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'saga-demo-')));
}

export async function createDemo(folder: string, setup: DemoSetup): Promise<DemoFolder> {
  const env = buildEnvironment(folder, setup);
  for (const name of ['home', 'temp', 'tmux', 'till/src', 'till/test']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  writeFileSync(
    join(folder, 'home/.gitconfig'),
    '[user]\n\tname = SAGA demo\n\temail = demo@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  const root = join(folder, 'till');
  for (const [path, text] of Object.entries(SAMPLE_PROGRAM)) writeFileSync(join(root, path), text);
  const git = openGit(root, env);
  await git.run(['init', '-q', '-b', 'main']);
  const { paths } = ensureProject(root);
  await createFromDraft(paths, SAMPLE_PLAN);
  await git.run(['add', '-A']);
  await git.run(['commit', '-q', '-m', 'A till with a plan']);
  await git.run(['init', '-q', '--bare', '-b', 'main', join(folder, 'origin.git')]);
  await git.run(['remote', 'add', 'origin', join(folder, 'origin.git')]);
  await git.run(['push', '-q', '-u', 'origin', 'main']);
  await git.run(['remote', 'set-head', 'origin', 'main']);
  return { folder, paths, env, saga: join(folder, 'saga') };
}

function buildEnvironment(folder: string, { env, modelUrl, claude }: DemoSetup): Environment {
  const stage = {
    modelUrl,
    home: agent.findHome({}, join(folder, 'home')),
    temp: join(folder, 'temp'),
  };
  const foreign = /^(SAGA_|TMUX|GIT_|GH_|GITHUB_|XDG_)/;
  const kept = Object.entries(agent.stage.buildEnvironment(env, stage)).filter(
    ([key]) => !foreign.test(key),
  );
  return {
    ...Object.fromEntries(kept),
    // The tests of the sample run on the same Node as this process.
    PATH: [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'temp'),
    TMUX_TMPDIR: join(folder, 'tmux'),
    GIT_CONFIG_NOSYSTEM: '1',
    SAGA_SESSION_DIR: join(folder, 'sessions'),
    SAGA_WORKER_CLAUDE_PATH: claude,
    SAGA_PULL_REQUEST_MODE: 'off',
    // SAGA wrote everything in this repository itself.
    [TRUST_VARIABLE]: '1',
  };
}
