import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../rig/programs/run-program.ts';
import type { Fault, Played } from './fault.ts';

const PROGRAM = fileURLToPath(new URL('play-one.ts', import.meta.url));
/** Enough for a story; a client needs some room of its own. */
const SIZE = '64m';

/**
 * Plays a fault in a process whose temp folder is a small disk of its own. The disk is mounted in a namespace, which
 * anybody may have and nobody else sees.
 */
export async function playOnSmallDisk({ id }: Fault): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-disk-'));
  try {
    const script = `mount -t tmpfs -o size=${SIZE} saga-test "$TMPDIR" && exec "$@"`;
    const inside = ['sh', '-c', script, 'sh', process.execPath, PROGRAM, id];
    const { code, stdout, stderr } = await runCommand(
      'unshare',
      ['--user', '--map-root-user', '--mount', ...inside],
      { env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TMPDIR: folder } },
    );
    if (code !== 0) throw new Error(`The scene ended with ${code}.\n${stdout}${stderr}`);
    return JSON.parse(stdout) as Played;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
