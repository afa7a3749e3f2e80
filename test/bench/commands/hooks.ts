import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatTable } from '../measure/table.ts';
import { formatRatio, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';

const PLUGIN = fileURLToPath(new URL('../../../plugin', import.meta.url));
const ROUNDS = 40;
const SESSION_MS = 15;
const OVER_NODE_MS = 5;

/** The plugin's hooks, in turn with a bare start of Node. */
export function benchHooks(
  workshop: string,
  env: NodeJS.ProcessEnv,
): { table: string; targets: Target[] } {
  const project = join(workshop, 'hooks');
  const worktree = join(project, '.saga/worktrees/cart');
  put(project, '.git/saga/runs/locks/worker-cart/h~1~1~a', '');
  put(project, '.git/saga/runs/locks/worker-pay/h~4194000~1~a', '');
  put(worktree, '.git', 'gitdir: x\n');
  put(worktree, '.saga/stories/cart/one.json', '{\n  "id": "one",\n  "status": "pending"\n}\n');
  const write = { cwd: worktree, tool_name: 'Write', tool_input: { file_path: 'a', content: 'x' } };
  let turn = 0;
  const status = () => {
    const to = turn++ % 2 === 0 ? 'completed' : 'pending';
    return { cwd: worktree, tool_response: { taskId: 'one', statusChange: { to } } };
  };
  const node = process.execPath;
  const runs: Record<string, () => number> = {
    'node -e 0': () => time(node, ['-e', '0'], worktree, env, ''),
    'session-init.sh': () => time('sh', [join(PLUGIN, 'hooks/session-init.sh')], project, env, ''),
    'scope check': () =>
      time(
        node,
        [join(PLUGIN, 'scripts/scope-validator.js')],
        worktree,
        env,
        JSON.stringify(write),
      ),
    'scope check, whole hook': () =>
      time(
        'sh',
        [join(PLUGIN, 'hooks/scope-check.sh')],
        worktree,
        withNode(env),
        JSON.stringify(write),
      ),
    'scope check, main checkout': () =>
      time('sh', [join(PLUGIN, 'hooks/scope-check.sh')], project, env, JSON.stringify(write)),
    sync: () =>
      time(node, [join(PLUGIN, 'scripts/sync-hook.js')], worktree, env, JSON.stringify(status())),
  };
  const times = new Map(Object.keys(runs).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) times.get(name)?.push(run());
  }
  const bare = median(times.get('node -e 0') ?? []);
  // What else the machine does only adds: the quarter of the runs that it left alone tells most.
  const over = (name: string) =>
    quantile(times.get(name) ?? [], 0.25) - quantile(times.get('node -e 0') ?? [], 0.25);
  return {
    table: formatTable([
      ['hook', 'median', '× node', 'fastest'],
      ...[...times].map(([name, values]) => [
        name,
        formatTime(median(values)),
        formatRatio(median(values) / bare),
        formatTime(Math.min(...values)),
      ]),
    ]),
    targets: [
      target('session-init.sh', median(times.get('session-init.sh') ?? []), SESSION_MS),
      target('scope check over node', over('scope check'), OVER_NODE_MS),
      target('sync over node', over('sync'), OVER_NODE_MS),
    ],
  };
}

function time(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  input: string,
): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd, env, input });
  const taken = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return taken;
}

const withNode = (env: NodeJS.ProcessEnv) => ({
  ...env,
  PATH: `${join(process.execPath, '..')}:${env.PATH}`,
});

function put(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

const median = (values: readonly number[]) => quantile(values, 0.5);

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

function target(about: string, found: number, limit: number): Target {
  return { about, found: formatTime(found), limit: formatTime(limit), met: found <= limit };
}
