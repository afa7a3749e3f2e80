import { execFileSync } from 'node:child_process';

const ROUNDS = 7;

type Variables = Readonly<Record<string, string>>;

/** How many milliseconds a command takes longer than a start of Node that does nothing. */
export function measureOverNode(command: readonly string[], cwd: string, env: Variables): number {
  const bare = [process.execPath, '-e', ''];
  let [least, ofNode] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // In turn, so that both have the same machine.
  for (let round = 0; round < ROUNDS; round++) {
    least = Math.min(least, measure(command, cwd, env));
    ofNode = Math.min(ofNode, measure(bare, cwd, env));
  }
  return least - ofNode;
}

/**
 * Milliseconds on the clock, or of processor time of the program and all it starts, whichever is less: on a
 * busy machine the clock says how busy it is.
 */
function measure(command: readonly string[], cwd: string, env: Variables): number {
  const start = performance.now();
  const script = '"$@" > /dev/null; times';
  const args = ['-c', script, 'sh', ...command];
  const printed = execFileSync('sh', args, { cwd, env, encoding: 'utf8' });
  const took = performance.now() - start;
  const [, children = ''] = printed.split('\n');
  const spent = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000,
  );
  return Math.min(
    took,
    spent.reduce((sum, it) => sum + it, 0),
  );
}
