import { type Ended, type RunOptions, runCommand, SAGA } from '../programs/run-program.ts';

/**
 * Runs `saga` with a folder on a read-only file system, which stops root too. Only that program sees the mount, so the
 * mount needs no rights beyond those of a user namespace.
 */
export function runOnReadOnlyDisk(
  folder: string,
  args: string[],
  options: RunOptions,
): Promise<Ended> {
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return runCommand(
    'unshare',
    [
      '--user',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      script,
      folder,
      process.execPath,
      SAGA,
    ].concat(args),
    options,
  );
}
