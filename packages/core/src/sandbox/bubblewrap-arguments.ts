import type { PrivateFolder } from './private-folder.ts';

/**
 * The walls around one command: what it sees of the file system. Everything else of the system is
 * visible and read-only. All paths are real paths.
 */
export interface Walls {
  /** Folders that a private one replaces, and the entries of the real one that are shown in it. */
  privates: readonly PrivateFolder[];
  /** Read-only, although a folder around it is replaced by an empty one. */
  shown: readonly string[];
  /** Writable at its own path. */
  open: readonly string[];
  /** A private folder in the place of another one. */
  replaced: readonly { at: string; by: string; readonly?: boolean }[];
  /** Secrets: an empty folder or an empty file in their place. */
  hidden: readonly { path: string; isFolder: boolean }[];
  /** The path of an empty file. */
  emptyFile: string;
  /** Files inside an open folder that stay read-only. */
  fixed: readonly string[];
  /** Whether the command gets a network of its own, in which there is only loopback. */
  hasOwnNetwork: boolean;
  /** Where the command starts. */
  folder: string;
}

/** Folders of the system that every command gets empty and for itself. */
export const EMPTIED = ['/tmp', '/run', '/var/tmp'];

/**
 * Builds the arguments of bubblewrap. Later mounts lie above earlier ones, so the order matters: first
 * what is taken away, then what is shown, then what is open, then the secrets in it.
 */
export function buildBubblewrap(walls: Walls): string[] {
  const { privates, shown, open, replaced, hidden, emptyFile, fixed, hasOwnNetwork, folder } =
    walls;
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...EMPTIED.flatMap((path) => ['--tmpfs', path]),
    ...shown.flatMap((path) => ['--ro-bind-try', path, path]),
    ...privates.flatMap(({ path, by, shown }) => [
      ...['--bind', by, path],
      ...shown.flatMap((it) => ['--ro-bind-try', it, it]),
    ]),
    ...hidden.flatMap(({ path, isFolder }) =>
      isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', emptyFile, path],
    ),
    ...open.flatMap((path) => ['--bind', path, path]),
    ...replaced.flatMap(({ at, by, readonly }) => [readonly ? '--ro-bind' : '--bind', by, at]),
    ...fixed.flatMap((path) => ['--ro-bind', path, path]),
    // Its own processes only. It ends with the worker, has no rights over the system, and cannot type into
    // the terminal.
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(hasOwnNetwork ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--chdir', folder, '--'],
  ];
}
