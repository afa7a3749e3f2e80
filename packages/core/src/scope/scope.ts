import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  isInStory,
  journalPath,
  PLAN_FOLDER,
  STORY_FILE,
  storyFilePath,
} from '@saga-ai/types/plan/plan-paths';
import { classifyPlanFile } from './definitions.ts';
import { foldName } from './fold-name.ts';
import { callsVerb, readWords } from './read-command.ts';

/** What a run may touch. The plan, git's own files and the client's settings are not its to change. */
export interface ScopePlace {
  /** Real path of the story's worktree. */
  worktree: string;
  storyId: string;
  /** Real paths outside it that may be read, such as where the client keeps long outputs. */
  readable: readonly string[];
  /** What `~` stands for. */
  homeFolder: string;
  /** Files that may be written, by their path in the worktree; all of them if not given. */
  mayWrite?: (path: string) => boolean;
}

export interface ScopeCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  cwd: string;
}

export type Verdict = { allowed: true } | { allowed: false; reason: string };

/** The real path, links followed; of what is not there yet, its deepest folder that is. */
export type ResolveReal = (path: string) => string;

const ALLOWED: Verdict = { allowed: true };

export function decideScope(call: ScopeCall, place: ScopePlace, real: ResolveReal): Verdict {
  const { tool, input } = call;
  switch (tool) {
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
      return decidePath('write', input.file_path, call, place, real);
    case 'NotebookEdit':
      return decidePath('write', input.notebook_path, call, place, real);
    case 'Read':
      return decidePath('read', input.file_path, call, place, real);
    case 'Grep':
      return decidePath('read', input.path ?? '.', call, place, real);
    case 'Glob':
      return firstDenial(
        decidePath('read', input.path ?? '.', call, place, real),
        decidePath('read', staticPart(input.pattern, input.path), call, place, real),
      );
    case 'Bash':
      return decideCommand(input.command);
    case 'TaskUpdate':
      return input.status === 'deleted'
        ? deny(
            "A story's tasks cannot be deleted. Complete the task, or write in the journal why it is not needed and leave it.",
          )
        : ALLOWED;
    default:
      return decideUnknown(call, place, real);
  }
}

/** A tool we know nothing of is held to the fields that usually name a file. */
function decideUnknown(call: ScopeCall, place: ScopePlace, real: ResolveReal): Verdict {
  const fields = ['file_path', 'notebook_path', 'path'].filter((it) => it in call.input);
  return firstDenial(
    ...fields.map((field) => decidePath('write', call.input[field], call, place, real)),
  );
}

function decidePath(
  access: 'read' | 'write',
  given: unknown,
  { cwd }: ScopeCall,
  place: ScopePlace,
  real: ResolveReal,
): Verdict {
  if (typeof given !== 'string' || given.trim() === '' || given.includes('\0')) {
    return deny('The path is missing or cannot be understood. Give one path inside the worktree.');
  }
  // The client cuts blanks off and composes letters before it opens a file: each reading must do.
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
  place: ScopePlace,
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

function decideWrite(inside: readonly string[], { storyId, mayWrite }: ScopePlace): Verdict {
  const parts = inside.map(foldName);
  if (parts.includes('.git'))
    return deny("git's own files are not to be edited. Use git commands.");
  const isSettings = parts.some(
    (part, index) => part === '.claude' && /^settings.*\.json$/.test(parts[index + 1] ?? ''),
  );
  if (isSettings) return deny('The settings of Claude Code are not to be changed by a run.');
  if (parts[0] !== PLAN_FOLDER) {
    return mayWrite === undefined || mayWrite(inside.join('/'))
      ? ALLOWED
      : deny('This run writes tests only: the work itself is for the next one.');
  }
  return decidePlan(inside, storyId);
}

function decidePlan(inside: readonly string[], storyId: string): Verdict {
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
      'Task files are kept by SAGA. Use TaskUpdate for the status; what a task says is not changed by a run.',
    );
  }
  return deny(
    `Only ${journal} may be written below .saga: other stories, epics, the archive and the configuration are not part of this story.`,
  );
}

/** Path parsing cannot judge a shell; what it does to the plan is looked at after the run. */
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

/** Options of git itself that take the next word. */
const GIT_OPTIONS = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env'];
const PULL_REQUEST_VERBS = ['create', 'new', 'ready', 'merge', 'close', 'reopen', 'edit'];

/** The folders below a root that lead to a path; nothing when it lies outside. */
function partsBelow(root: string, path: string): string[] | undefined {
  const below = relative(root, path);
  if (below === '') return [];
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return undefined;
  return below.split(sep);
}

/** Where a pattern starts to look: all before its first wildcard. Going elsewhere after it is not understood. */
function staticPart(pattern: unknown, path: unknown): unknown {
  if (typeof pattern !== 'string') return undefined;
  const lead = /^[^*?[{]*/.exec(pattern)?.[0] ?? '';
  const rest = pattern.slice(lead.length);
  if (/(^|[/{,])\.\.([/,}]|$)|[{,][/~]/.test(rest)) return undefined;
  if (isAbsolute(lead) || lead.startsWith('~')) return lead;
  return `${typeof path === 'string' ? path : '.'}/${lead}`;
}

function firstDenial(...verdicts: Verdict[]): Verdict {
  return verdicts.find((it) => !it.allowed) ?? ALLOWED;
}

function deny(reason: string): Verdict {
  return { allowed: false, reason };
}
