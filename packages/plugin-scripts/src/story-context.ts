import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import { buildPaths } from '@saga-ai/core/project/paths';
import { findStoryOf } from '@saga-ai/core/project/story-checkout';
import { findStoryWorktree } from '@saga-ai/core/project/story-worktrees';
import { isId } from '@saga-ai/types/plan/ids';

export interface StoryContext {
  storyId: string;
  /** The real path. */
  worktree: string;
  /** The main checkout. */
  project: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Finds the story that a session works on: by variable, by the working folder, or by the older pair of
 * variables. Returns undefined if there is none.
 */
export function findStoryContext(env: Variables, cwd: string): StoryContext | undefined {
  const place = findPlace(cwd) ?? findPlace(env[PROJECT_VARIABLE] ?? '') ?? findNamed(env);
  const { SAGA_STORY_ID, SAGA_EPIC_SLUG, SAGA_STORY_SLUG } = env;
  const storyId = SAGA_STORY_ID || place?.storyId || (SAGA_EPIC_SLUG ? SAGA_STORY_SLUG : undefined);
  if (!place || !isId(storyId)) return undefined;
  return { storyId, worktree: realpathSync(place.worktree), project: place.project };
}

interface Place {
  storyId: string;
  worktree: string;
  project: string;
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

const INSIDE = /^(.*)\/\.saga\/worktrees\/([^/]+)(?:\/([^/]+))?/;

/** `.saga/worktrees/<story>`, or in a still older layout `.saga/worktrees/<epic>/<story>`. */
function findByPath(path: string): Place | undefined {
  const [, project = '', first = '', second] = INSIDE.exec(path) ?? [];
  const flat = join(project, '.saga/worktrees', first);
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
