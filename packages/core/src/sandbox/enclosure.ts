import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { AgentFiles } from '../agents/agent.ts';
import { removeTree } from '../files/remove-tree.ts';
import { withSettings } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Environment } from '../processes/run.ts';
import type { Surroundings } from '../scope/surroundings.ts';
import { buildBubblewrap, EMPTIED, type Walls } from './bubblewrap-arguments.ts';
import { listSockets } from './foreign-sockets.ts';
import {
  createQuarantine,
  LFS,
  OBJECTS,
  readAlternates,
  sharedFolderOf,
} from './git-quarantine.ts';
import type { NetworkWall } from './network-wall.ts';
import { type Contents, createPrivateFolder, type PrivateFolder } from './private-folder.ts';

export interface EnclosureRequest {
  bubblewrap: string;
  /** Names the folder of this enclosure. */
  runId: string;
  worktree: Worktree;
  /** Where the command runs, if not in the worktree: a checkout with a git folder of its own. */
  checkout?: string;
  projectFolder: string;
  /** Where the private caches of package managers are kept. */
  cacheFolder: string;
  surroundings: Surroundings;
  /** The agent's own files, if the agent runs inside. */
  agent?: AgentFiles;
  /** The way to allowed hosts, if the network is not open. */
  network?: NetworkWall;
  /** Programs that run inside, and PATH. */
  programs: readonly string[];
  env: Environment;
}

/** The walls around one command, ready to be put in front of it. */
export interface Enclosure {
  program: string;
  args: string[];
  env: Environment;
  /** Must be handed to the program that is started. */
  converse?: NetworkWall['converse'];
}

/** The folder of everything private to one enclosure. */
export const enclosureFolder = (worktree: Pick<Worktree, 'gitFolder'>, runId: string) =>
  join(sharedFolderOf(worktree), 'saga', 'enclosures', runId);

export const quarantineOf = (worktree: Pick<Worktree, 'gitFolder'>, runId: string) =>
  join(enclosureFolder(worktree, runId), 'git');

/** Removes everything that was private to an enclosure. */
export function removeEnclosure(worktree: Pick<Worktree, 'gitFolder'>, runId: string): void {
  removeTree(enclosureFolder(worktree, runId));
}

/** Where the private copy of the agent's folder is. */
export function privateAgentFolder(
  folder: string,
  homeFolder: string,
  agentFolder: string,
): string {
  if (!isBelow(agentFolder, homeFolder)) return join(folder, 'agent');
  return join(folder, 'home', agentFolder.slice(homeFolder.length + 1));
}

/** Creates the private folders of one command and the arguments that put it behind the walls. */
export async function createEnclosure(request: EnclosureRequest): Promise<Enclosure> {
  const { bubblewrap, runId, worktree, checkout, network } = request;
  const folder = enclosureFolder(worktree, runId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (checkout === undefined) await createQuarantine(worktree, join(folder, 'git'));
  return {
    program: bubblewrap,
    args: [
      ...buildBubblewrap(findWalls(request, folder, await listLocalRemotes(worktree))),
      ...(network?.lead ?? []),
    ],
    env: { ...withoutReach(request.env), ...network?.variables },
    converse: network ? network.converse : undefined,
  };
}

/** Remotes that are folders of this machine. */
async function listLocalRemotes({ git }: Worktree): Promise<string[]> {
  const found = await git.attempt(['config', '--get-regexp', '^remote\\..*\\.url$']);
  const urls = found.stdout.split('\n').map((line) => line.slice(line.indexOf(' ') + 1));
  return urls.map((url) => url.replace(/^file:\/\//, '')).filter((url) => url.startsWith('/'));
}

function findWalls(request: EnclosureRequest, folder: string, remotes: readonly string[]): Walls {
  const { worktree, checkout, projectFolder, surroundings, agent, env } = request;
  const { homeFolder, replaced: caches, writable } = surroundings;
  const programs = [...request.programs, ...(request.network ? [process.execPath] : [])];
  const shared = sharedFolderOf(worktree);
  const hidden = surroundings.hidden.flatMap(describeHidden);
  const alternates = readAlternates(shared);
  const open = [
    checkout ?? worktree.folder,
    ...(agent?.open ?? []),
    ...writable.filter((path) => existsSync(path)),
  ];
  const shown = findShown([...programs, projectFolder, shared, ...alternates, ...remotes], env);
  const sockets = findSockets({
    covered: [...hidden.map(({ path }) => path), ...open, ...caches],
    shown: [homeFolder, ...(agent ? [agent.folder] : []), ...shown],
  });
  return {
    privates: findPrivates(homeFolder, agent, caches, folder),
    shown,
    hidden: [...hidden, ...sockets],
    emptyFile: createEmptyFile(folder),
    open,
    replaced: [
      ...(checkout === undefined ? replaceGit(worktree, folder) : []),
      ...caches.map((at) => ({ at, by: ensureCache(request, at) })),
    ],
    fixed: checkout === undefined ? [join(worktree.folder, '.git')] : [],
    hasOwnNetwork: request.network !== undefined,
    folder: checkout ?? worktree.folder,
  };
}

/**
 * Finds the sockets of other programs that a command would see. Sockets in open folders are left, because the settings
 * open them on purpose.
 */
function findSockets({ covered, shown }: Record<'covered' | 'shown', string[]>): Walls['hidden'] {
  const isIn = (path: string, folders: readonly string[]) =>
    folders.some((it) => path === it || isBelow(path, it));
  return listSockets()
    .filter((path) => !isIn(path, covered) && (!isIn(path, EMPTIED) || isIn(path, shown)))
    .map((path) => ({ path, isFolder: false }));
}

/** The quarantine in the place of git's folder, with the real objects and submodules. */
function replaceGit(worktree: Worktree, folder: string): Walls['replaced'] {
  const shared = sharedFolderOf(worktree);
  const modules = ensureModules(worktree);
  return [
    { at: shared, by: join(folder, 'git') },
    { at: OBJECTS, by: join(shared, 'objects'), readonly: true },
    ...(existsSync(join(shared, 'lfs'))
      ? [{ at: LFS, by: join(shared, 'lfs'), readonly: true }]
      : []),
    ...(modules === undefined ? [] : [{ at: modules, by: modules }]),
  ];
}

/**
 * The folder of the worktree's submodules, which is shared because it may be large. The folder must exist before a
 * command checks out the first submodule; otherwise the submodule would be lost with the quarantine.
 */
function ensureModules({ folder, gitFolder }: Worktree): string | undefined {
  const modules = join(gitFolder, 'modules');
  if (existsSync(join(folder, '.gitmodules'))) mkdirSync(modules, { recursive: true });
  return existsSync(modules) ? modules : undefined;
}

function findPrivates(
  homeFolder: string,
  agent: AgentFiles | undefined,
  caches: readonly string[],
  folder: string,
): PrivateFolder[] {
  if (!existsSync(homeFolder)) return [];
  const opened = new Set(USUAL_OPENED.map((path) => join(homeFolder, path)));
  for (const cache of caches) {
    for (let at = dirname(cache); isBelow(at, homeFolder); at = dirname(at)) opened.add(at);
  }
  if (agent) opened.add(agent.folder);
  const contents: Contents = {
    opened,
    withheld: new Set(agent?.withheld ?? []),
    copied: new Set(agent?.copied ?? []),
  };
  const home = createPrivateFolder(homeFolder, join(folder, 'home'), contents);
  if (!agent || !existsSync(agent.folder)) return [home];
  const by = privateAgentFolder(folder, homeFolder, agent.folder);
  const isInHome = isBelow(agent.folder, homeFolder);
  const privates = isInHome ? [home] : [home, createPrivateFolder(agent.folder, by, contents)];
  for (const path of agent.brought) bring(path, join(by, path.slice(agent.folder.length + 1)));
  return privates;
}

function bring(path: string, copy: string): void {
  // A run may have put a link in its place.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  copyFileSync(path, copy);
}

/** Folders in which many programs create files of their own. */
const USUAL_OPENED = ['.cache', '.config', '.local', '.local/share', '.local/state'];

function createEmptyFile(folder: string): string {
  const path = join(folder, 'empty');
  writeFileSync(path, '');
  return path;
}

/** Finds the needed paths that would disappear with the emptied folders of the system. */
function findShown(needed: readonly string[], env: Environment): string[] {
  const onPath = (env.PATH ?? '').split(':').filter(Boolean);
  const resolver = '/etc/resolv.conf';
  const real = existsSync(resolver) ? [realpathSync(resolver)] : [];
  const all = new Set([...needed.flatMap(findParts), ...onPath, ...real]);
  return [...all].filter((path) => EMPTIED.some((it) => isBelow(path, it)) && existsSync(path));
}

/** Returns the folders that a program needs: its whole package if it is part of one, else the folder around it. */
function findParts(path: string): string[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  if (lstatSync(real).isDirectory()) return [path, real];
  const at = real.indexOf(`${sep}node_modules${sep}`);
  const whole = at === -1 ? dirname(real) : real.slice(0, at + `${sep}node_modules`.length);
  return [...listSteps(path).map((it) => dirname(it)), whole];
}

/** Lists a path and every link on the way to its file, because a link to a link needs both folders. */
function listSteps(path: string): string[] {
  const steps = [path];
  // Node has found the real path, so the links end.
  for (let at = path; lstatSync(at).isSymbolicLink(); steps.push(at)) {
    at = resolve(dirname(at), readlinkSync(at));
  }
  return steps;
}

function describeHidden(path: string): Walls['hidden'] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return [{ path, isFolder: true }];
  if (found?.isFile()) return [{ path, isFolder: false }];
  return [];
}

/**
 * One cache for all stories of a project, so that a run cannot change what other projects install. Clean
 * checkouts have another one: a run could put a tool into its cache that makes verify pass.
 */
function ensureCache(
  { cacheFolder, surroundings, checkout }: EnclosureRequest,
  at: string,
): string {
  const name = at.slice(surroundings.homeFolder.length + 1).replaceAll(sep, '-');
  const use = checkout === undefined ? 'sandbox' : 'sandbox-clean';
  const folder = join(cacheFolder, use, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Variables by which a command reaches programs of the person that run outside. */
const REACHING = [
  'TMUX',
  'TMUX_PANE',
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'GH_TOKEN',
  'GITHUB_TOKEN',
];

function withoutReach(env: Environment): Environment {
  const rest = Object.entries(env).filter(([key]) => !REACHING.includes(key));
  // The person's signing key is out of reach.
  const unsigned = [['commit.gpgsign', 'false']] as const;
  return { ...withSettings(Object.fromEntries(rest), unsigned), TMPDIR: '/tmp' };
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}${sep}`);
