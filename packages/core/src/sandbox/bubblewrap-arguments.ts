import type { PrivateFolder } from './private-folder.ts';

/**
 * The walls around one command: what it sees of the file system. Everything else of the system is
 * visible and read-only. All paths are real paths.
 */
export interface Walls {
  /** Folders that a private one replaces, and the entries of the real one that are shown in it. */
  privates: readonly PrivateFolder[];
  /** Folders that are empty and private. */
  emptied: readonly string[];
  /** Paths that are shown read-only, although a folder around them is replaced by an empty one. */
  shown: readonly string[];
  /** Paths that are writable at their own place. */
  open: readonly string[];
  /** A private folder in the place of another one. */
  replaced: readonly { at: string; by: string; readonly?: boolean }[];
  /** Secrets. An empty folder or an empty file takes their place. */
  hidden: readonly { path: string; isFolder: boolean }[];
  /** Files that a command must not take for empty ones: it cannot open them. */
  denied: readonly string[];
  /** The path of an empty file. */
  emptyFile: string;
  /** The path of a file that nobody may open. */
  closedFile: string;
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
 * The system as every command sees it: everything read-only, with devices and processes of its own. A new /proc gives
 * root the settings of the kernel and of its devices to write, so they are read-only, too.
 */
export const SYSTEM = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'pressure'].flatMap((name) => {
    const path = `/proc/${name}`;
    return ['--ro-bind-try', path, path];
  }),
];

/**
 * Builds the arguments of bubblewrap. Later mounts cover earlier ones, so the order matters: first the emptied folders,
 * then the paths that are shown, then the open ones, then the secrets in them.
 */
export function buildBubblewrap(walls: Walls): string[] {
  const { emptied, shown, privates, hidden, denied, open, replaced, fixed } = walls;
  return [
    ...SYSTEM,
    ...emptied.flatMap((path) => ['--tmpfs', path]),
    ...shown.flatMap((path) => ['--ro-bind-try', path, path]),
    ...privates.flatMap(({ path, by, shown }) => [
      ...['--bind', by, path],
      ...shown.flatMap((it) => ['--ro-bind-try', it, it]),
    ]),
    ...hidden.flatMap(({ path, isFolder }) =>
      isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', walls.emptyFile, path],
    ),
    ...denied.flatMap((path) => ['--ro-bind', walls.closedFile, path]),
    ...open.flatMap((path) => ['--bind', path, path]),
    ...replaced.flatMap(({ at, by, readonly }) => [readonly ? '--ro-bind' : '--bind', by, at]),
    ...fixed.flatMap((path) => ['--ro-bind', path, path]),
    // The command sees only its own processes. It ends with the worker, has no rights over the system, and cannot type
    // into the terminal.
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(walls.hasOwnNetwork ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--chdir', walls.folder, '--'],
  ];
}
