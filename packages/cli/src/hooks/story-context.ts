import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths } from '@saga-ai/core/project/paths';
import { findStoryOf } from '@saga-ai/core/project/story-checkout';
import { findStoryWorktree } from '@saga-ai/core/project/story-worktrees';
import { isId } from '@saga-ai/types/plan/ids';
import { IN_OLDER_WORKTREE } from '@saga-ai/types/plan/plan-paths';

export interface StoryContext {
  storyId: string;
  /** The real path. */
  worktree: string;
  /** The main checkout. */
  project: string;
  /** What the person should change about the session. */
  note?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Finds the story that a session works on: by variable, by the working folder, or by the older pair of
 * variables. Returns undefined if there is none.
 */
export function findStoryContext(env: Variables, cwd: string): StoryContext | undefined {
  const place =
    findPlace(cwd) ??
    findPlace(env[PROJECT_VARIABLE] ?? '') ??
    findNamed(env) ??
    findOlder(env, cwd);
  const storyId = env.SAGA_STORY_ID || place?.storyId;
  if (!place || !isId(storyId)) return undefined;
  const { project, note } = place;
  const context = { storyId, worktree: realpathSync(place.worktree), project };
  return note === undefined ? context : { ...context, note };
}

interface Place {
  storyId: string;
  worktree: string;
  project: string;
  note?: string;
}

/** Finds the story by git's files about the checkout around a folder, and for older versions by its path. */
function findPlace(path: string): Place | undefined {
  for (let folder = path; folder.startsWith('/'); folder = dirname(folder)) {
    const story = findStoryOf(folder);
    if (story) return { storyId: story.storyId, worktree: folder, project: story.root };
    if (dirname(folder) === folder) break;
  }
  return findByPath(path);
}

/** `.saga/worktrees/<story>`, or in a still older layout `.saga/worktrees/<epic>/<story>`. */
function findByPath(path: string): Place | undefined {
  const [, project = '', first = '', second] = IN_OLDER_WORKTREE.exec(path) ?? [];
  const flat = join(buildPaths(project).innerWorktrees, first);
  if (isId(first) && existsSync(join(flat, '.git'))) {
    return { storyId: first, worktree: flat, project };
  }
  const nested = join(flat, second ?? '');
  if (isId(first) && isId(second) && existsSync(join(nested, '.git'))) {
    return { storyId: second, worktree: nested, project };
  }
  return undefined;
}

/** Finds the story that variables name, for a session that runs in another folder. */
function findNamed(env: Variables): Place | undefined {
  const { SAGA_PROJECT_DIR: project, SAGA_STORY_ID: storyId } = env;
  if (!project || !isId(storyId)) return undefined;
  const worktree = findStoryWorktree(buildPaths(project), storyId)?.folder;
  return worktree === undefined ? undefined : { storyId, worktree, project };
}

const OLDER =
  'SAGA_EPIC_SLUG and SAGA_STORY_SLUG are deprecated: set SAGA_STORY_ID to the id of the story instead.';

/** Finds the story that only the older variables name. */
function findOlder(env: Variables, cwd: string): Place | undefined {
  const { SAGA_STORY_ID, SAGA_EPIC_SLUG: epic, SAGA_STORY_SLUG: storyId } = env;
  if (SAGA_STORY_ID || !isId(storyId)) return undefined;
  const project = env.SAGA_PROJECT_DIR || lookForProject(cwd)?.root;
  if (project === undefined) return undefined;
  const paths = buildPaths(project);
  const nested = isId(epic) ? join(paths.innerWorktrees, epic, storyId) : undefined;
  const isNested = nested !== undefined && existsSync(join(nested, '.git'));
  const worktree = findStoryWorktree(paths, storyId)?.folder ?? (isNested ? nested : undefined);
  return worktree === undefined ? undefined : { storyId, worktree, project, note: OLDER };
}
