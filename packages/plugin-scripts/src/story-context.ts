import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_VARIABLE } from '@saga-ai/core/agents/claude/client-home';
import { isId } from '@saga-ai/types/plan/ids';

export interface StoryContext {
  storyId: string;
  /** Real path. */
  worktree: string;
  /** The main checkout. */
  project: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The story a session works on, if it does: by variable, by where it is, by the older pair of variables. */
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

const WORKTREE = /^(.*)\/\.saga\/worktrees\/([^/]+)(?:\/([^/]+))?/;

/** `.saga/worktrees/<story>`, or in an older layout `.saga/worktrees/<epic>/<story>`. */
function findPlace(path: string): Place | undefined {
  const [, project = '', first = '', second] = WORKTREE.exec(path) ?? [];
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

/** A session that was told its story, but stands elsewhere. */
function findNamed(env: Variables): Place | undefined {
  const { SAGA_PROJECT_DIR: project, SAGA_STORY_ID: storyId } = env;
  if (!project || !isId(storyId)) return undefined;
  const worktree = join(project, '.saga/worktrees', storyId);
  return existsSync(worktree) ? { storyId, worktree, project } : undefined;
}
