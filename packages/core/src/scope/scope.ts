import { isAbsolute, relative, resolve, sep } from 'node:path';
import { JOURNAL_FILE } from '@saga-ai/types/plan/journal';
import {
  FOLLOW_UPS_FILE,
  isInStory,
  journalPath,
  PLAN_FOLDER,
  STORY_FILE,
  storyFilePath,
  storyPath,
} from '@saga-ai/types/plan/plan-paths';
import type { Confinement } from './confinement.ts';
import { classifyPlanFile } from './definitions.ts';
import { foldName } from './fold-name.ts';
import { callsVerb, readWords } from './read-command.ts';

/** One thing that a call would do. Paths and commands come from a model, so they may not be strings. */
export type Access =
  | { kind: 'read' | 'write'; path: unknown }
  | { kind: 'command'; command: unknown }
  | { kind: 'delete-task' };

export interface ScopeCall {
  accesses: readonly Access[];
  cwd: string;
}

export type Verdict = { allowed: true } | { allowed: false; reason: string };

/**
 * Returns the real path with links resolved. If the path does not exist, its deepest existing folder
 * is resolved.
 */
export type ResolveReal = (path: string) => string;

const ALLOWED: Verdict = { allowed: true };

export function decideScope(call: ScopeCall, place: Confinement, real: ResolveReal): Verdict {
  return firstDenial(...call.accesses.map((access) => decideAccess(access, call, place, real)));
}

function decideAccess(
  access: Access,
  call: ScopeCall,
  place: Confinement,
  real: ResolveReal,
): Verdict {
  switch (access.kind) {
    case 'read':
    case 'write':
      return decidePath(access.kind, access.path, call, place, real);
    case 'command':
      return decideCommand(access.command);
    case 'delete-task':
      return deny(
        "A story's tasks cannot be deleted. Complete the task, or write in the journal why it is not needed and leave it.",
      );
  }
}

function decidePath(
  access: 'read' | 'write',
  given: unknown,
  { cwd }: ScopeCall,
  place: Confinement,
  real: ResolveReal,
): Verdict {
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) {
    return deny('The path is missing or cannot be understood. Give one path inside the worktree.');
  }
  // An agent may trim the path and normalise its letters before it opens the file, so each variant must be
  // allowed.
  const readings = new Set([given, given.trim(), given.trim().normalize('NFC')]);
  return firstDenial(
    ...[...readings].map((reading) => {
      const path = resolve(
        cwd,
        reading.replace(/^~(?=\/|$)/, () => place.homeFolder),
      );
      return decideReal(access, real(path), given, place);
    }),
  );
}

function decideReal(
  access: 'read' | 'write',
  path: string,
  given: string,
  place: Confinement,
): Verdict {
  const inside = partsBelow(place.worktree, path);
  if (!inside) {
    if (access === 'read' && place.readable.some((it) => partsBelow(it, path))) return ALLOWED;
    return deny(
      `${given} is outside this story's worktree. Everything you need to change is inside ${place.worktree}; work there.`,
    );
  }
  return access === 'read' ? ALLOWED : decideWrite(inside, place);
}

function decideWrite(inside: readonly string[], place: Confinement): Verdict {
  const { agent, mayWrite, isProtected } = place;
  const parts = inside.map(foldName);
  if (parts.includes('.git')) return deny("git's own files must not be edited. Use git commands.");
  const refusal = agent.refuse(parts);
  if (refusal !== undefined) return deny(refusal);
  if (isProtected?.(inside.join('/'))) {
    return deny(
      `${inside.join('/')} is protected: this story may not change it. If the work needs it, record a Blocker in ${journalPath(place.storyId)} and stop.`,
    );
  }
  if (parts[0] !== PLAN_FOLDER) {
    return mayWrite === undefined || mayWrite(inside.join('/'))
      ? ALLOWED
      : deny(
          `This run may not change ${inside.join('/')}: it is for one task or for its tests, and another run does the rest.`,
        );
  }
  return decidePlan(inside, place);
}

function decidePlan(inside: readonly string[], { storyId, agent }: Confinement): Verdict {
  const path = inside.join('/');
  const ownership = classifyPlanFile(path, storyId);
  if (ownership === 'free') return ALLOWED;
  const journal = journalPath(storyId);
  if (inside.map(foldName).join('/') === storyFilePath(storyId)) {
    return deny(
      `${STORY_FILE} is the plan, and only a person changes it. If it is wrong, record a Blocker in ${journal} and stop.`,
    );
  }
  if (isInStory(path, storyId) && foldName(path).endsWith('.json')) {
    return deny(
      `Task files are kept by SAGA. Use ${agent.statusTool} for the status; a run may not change anything else in a task.`,
    );
  }
  const own = storyPath(storyId);
  if (isInStory(path, storyId)) {
    return deny(
      `In ${own} a run may write no file whose name begins with .git: it could hide other files from git.`,
    );
  }
  return deny(
    `Below .saga a run may write only into ${own}: ${JOURNAL_FILE}, ${FOLLOW_UPS_FILE} and other files that are not JSON. Other stories, epics, the archive and the configuration are not part of this story.`,
  );
}

/**
 * Checks a command only for pushes and pull requests: its paths cannot be judged, so the plan is
 * checked after the run.
 */
function decideCommand(command: unknown): Verdict {
  if (typeof command !== 'string') return deny('The command is missing.');
  const words = readWords(command);
  if (callsVerb(words, 'git', [['push']], GIT_OPTIONS)) {
    return deny('SAGA pushes the branch itself, after each run. Commit only.');
  }
  if (callsVerb(words, 'gh', [['pr'], PULL_REQUEST_VERBS], ['-R', '--repo'])) {
    return deny('The pull request is handled by SAGA, once all checks passed.');
  }
  return ALLOWED;
}

/** Options of git itself whose value is the next word. */
const GIT_OPTIONS = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env'];
const PULL_REQUEST_VERBS = ['create', 'new', 'ready', 'merge', 'close', 'reopen', 'edit'];

/** Returns the parts of a path below a root, or undefined if the path is outside. */
function partsBelow(root: string, path: string): string[] | undefined {
  const below = relative(root, path);
  if (below === '') return [];
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return undefined;
  return below.split(sep);
}

function firstDenial(...verdicts: Verdict[]): Verdict {
  return verdicts.find((it) => !it.allowed) ?? ALLOWED;
}

function deny(reason: string): Verdict {
  return { allowed: false, reason };
}
