import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { AgentFiles } from '../agents/agent.ts';
import { listEntries } from '../files/list-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import { withSettings } from '../git/git.ts';
import type { Worktree } from '../git/worktree.ts';
import type { Environment } from '../processes/run.ts';
import { resolveReal } from '../project/resolve-real.ts';
import type { Surroundings } from '../scope/surroundings.ts';
import { buildBubblewrap, EMPTIED, type Walls } from './bubblewrap-arguments.ts';
import { listFilesOfRoot } from './files-of-root.ts';
import { listSockets } from './foreign-sockets.ts';
import {
  createQuarantine,
  LFS,
  OBJECTS,
  readAlternates,
  sharedFolderOf,
} from './git-quarantine.ts';
import { findHidden, isBelow } from './hidden-paths.ts';
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
  /** Files that the command must not take for empty ones: it cannot open them. */
  denied?: readonly string[];
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
  const [home, agent] = [resolveReal(homeFolder), resolveReal(agentFolder)];
  return isBelow(agent, home) ? join(folder, 'home', relative(home, agent)) : join(folder, 'agent');
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
  const { worktree, checkout, projectFolder, surroundings, env } = request;
  const homeFolder = resolveReal(surroundings.homeFolder);
  const agent = request.agent && toRealFiles(request.agent, surroundings.homeFolder);
  const caches = surroundings.replaced
    .map((path) => ({ path, at: resolveReal(path) }))
    // bubblewrap can make a missing folder only in the private home.
    .filter(({ at }) => isBelow(at, homeFolder) || existsSync(at));
  const programs = [...request.programs, ...(request.network ? [process.execPath] : [])];
  const shared = sharedFolderOf(worktree);
  const alternates = readAlternates(shared);
  const open = [
    checkout ?? worktree.folder,
    ...(agent?.open ?? []),
    ...surroundings.writable.filter((path) => existsSync(path)).map((path) => resolveReal(path)),
  ];
  const needed = [...open, projectFolder, shared, ...(agent ? [agent.folder] : [])];
  const otherHome = findOtherHome(homeFolder);
  const secrets = surroundings.hidden.flatMap((path) => [
    path,
    ...otherHome.map((it) => path.replace(`${surroundings.homeFolder}/`, `${it}/`)),
  ]);
  const hidden = findHidden([...secrets, ...listFilesOfRoot()], homeFolder, needed);
  const denied = (request.denied ?? [])
    .filter((path) => existsSync(path))
    .map((path) => resolveReal(path));
  const emptied = [...EMPTIED, ...otherHome];
  const named = otherHome.flatMap((it) => listNamed(env, it));
  const shown = findShown(
    [...programs, projectFolder, shared, ...alternates, ...remotes, ...named],
    { emptied, env },
  );
  const sockets = findSockets({
    covered: [...hidden.map(({ path }) => path), ...open, ...caches.map(({ at }) => at)],
    shown: [homeFolder, ...(agent ? [agent.folder] : []), ...shown],
    emptied,
  });
  const contents = describeContents(homeFolder, agent, caches);
  return {
    emptied,
    privates: findPrivates(homeFolder, agent, contents, folder),
    shown,
    hidden: [...hidden, ...sockets],
    denied: denied.filter((path) => !hidden.some((it) => isBelow(path, it.path))),
    emptyFile: createFile(join(folder, 'empty'), 0o600),
    closedFile: createFile(join(folder, 'closed'), 0),
    open,
    replaced: [
      ...(checkout === undefined ? replaceGit(worktree, folder) : []),
      ...caches.map(({ path, at }) => ({ at, by: ensureCache(request, path) })),
    ],
    fixed: checkout === undefined ? [join(worktree.folder, '.git')] : [],
    hasOwnNetwork: request.network !== undefined,
    folder: checkout ?? worktree.folder,
  };
}

/**
 * The agent's files below the real path of its folder. What the names in that folder lead to does not count: a private
 * folder stands in its place.
 */
function toRealFiles(agent: AgentFiles, homeFolder: string): AgentFiles {
  const move = (path: string) => {
    const around = [agent.folder, homeFolder].find((it) => path === it || isBelow(path, it));
    return around === undefined ? path : join(resolveReal(around), path.slice(around.length));
  };
  return {
    ...agent,
    folder: move(agent.folder),
    withheld: agent.withheld.map(move),
    copied: agent.copied.map(move),
    brought: agent.brought.map(move),
    open: agent.open.map(move),
  };
}

/** root's own home folder, if it works with another one. No right of the system keeps root from reading it. */
function findOtherHome(homeFolder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const own = resolveReal(userInfo().homedir);
  return own === homeFolder || isBelow(homeFolder, own) || !existsSync(own) ? [] : [own];
}

/**
 * Finds the sockets of other programs that a command would see. Sockets in open folders are left, because the settings
 * open them on purpose.
 */
function findSockets({
  covered,
  shown,
  emptied,
}: Record<'covered' | 'shown' | 'emptied', string[]>): Walls['hidden'] {
  const isIn = (path: string, folders: readonly string[]) =>
    folders.some((it) => path === it || isBelow(path, it));
  return listSockets()
    .filter((path) => !isIn(path, covered) && (!isIn(path, emptied) || isIn(path, shown)))
    .map((path) => ({ path, isFolder: false }));
}

/** The folders that variables name, such as PYENV_ROOT. */
function listNamed(env: Environment, around: string): string[] {
  const values = Object.values(env).flatMap((it) => it?.split(':') ?? []);
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return values.filter((it) => isBelow(it, around) && isFolder(it));
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

interface Cache {
  /** The path in the settings. */
  path: string;
  at: string;
}

/** What is private in the home folder, and what only the agent sees of it. */
function describeContents(
  homeFolder: string,
  agent: AgentFiles | undefined,
  caches: readonly Cache[],
): Contents {
  const opened = new Set<string>();
  const open = (path: string) => {
    for (let at = path; isBelow(at, homeFolder); at = dirname(at)) opened.add(at);
  };
  for (const path of USUAL_OPENED) open(resolveReal(join(homeFolder, path)));
  for (const { at } of caches) open(dirname(at));
  if (agent) open(agent.folder);
  // The agent's folder may be outside the home folder.
  if (agent) opened.add(agent.folder);
  return { opened, withheld: new Set(agent?.withheld), copied: new Set(agent?.copied) };
}

function findPrivates(
  homeFolder: string,
  agent: AgentFiles | undefined,
  contents: Contents,
  folder: string,
): PrivateFolder[] {
  if (!existsSync(homeFolder)) return [];
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

function createFile(path: string, mode: number): string {
  // A file that nobody may open cannot be written a second time.
  if (!existsSync(path)) writeFileSync(path, '', { mode });
  return path;
}

/** Finds the needed paths that would disappear with the emptied folders. */
function findShown(
  needed: readonly string[],
  { emptied, env }: { emptied: readonly string[]; env: Environment },
): string[] {
  const isEmptied = (path: string) => emptied.some((it) => isBelow(path, it));
  const onPath = (env.PATH ?? '').split(':').filter(Boolean);
  const resolver = '/etc/resolv.conf';
  const real = existsSync(resolver) ? [realpathSync(resolver)] : [];
  // The link itself is shown with its folder, and nothing can be put in its place.
  const linked = onPath.filter(isEmptied).flatMap((folder) =>
    listEntries(folder)
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => join(folder, entry.name))
      .flatMap((link) => findParts(link).filter((it) => it !== link)),
  );
  const all = new Set([...needed.flatMap(findParts), ...onPath, ...linked, ...real]);
  return [...all].filter((path) => isEmptied(path) && existsSync(path));
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
