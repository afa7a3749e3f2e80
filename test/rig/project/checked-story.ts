import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, SAGA } from '../programs/run-program.ts';
import type { Project } from './project.ts';
import { commitAll } from './repository.ts';

export interface CheckedStory {
  worktree: string;
  saga(...args: string[]): ReturnType<typeof runProgram>;
  /** Runs the real gate of the story. */
  gate(): Promise<void>;
}

/**
 * Gives a project a story whose work is committed in its worktree, as a worker leaves it, and runs its gate: the
 * evidence is real. `files` are what the story changes.
 */
export async function createCheckedStory(
  it: Project,
  id: string,
  files: Record<string, string> = { [`${id}.txt`]: `${id}\n` },
  more: Record<string, string> = {},
): Promise<CheckedStory> {
  const env = { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions'), ...more };
  const saga = (...args: string[]) => runProgram(SAGA, args, { cwd: it.root, env });
  const worktree = join(it.worktrees, id);
  it.story(id, {}, { one: {} });
  commitAll(it.gitIn, it.root, `Plan ${id}`);
  if (it.git('remote').includes('origin')) it.git('push', '-q', 'origin', 'HEAD');
  it.git('worktree', 'add', '-q', worktree, '-b', `story/${id}`);
  const below = `../project.stories/${id}`;
  for (const [path, text] of Object.entries(files)) it.write(`${below}/${path}`, text);
  const folder = `${below}/.saga/stories/${id}`;
  for (const name of readdirSync(join(it.root, folder))) {
    if (name === 'story.json' || !name.endsWith('.json')) continue;
    const task = JSON.parse(it.read(`${folder}/${name}`));
    it.write(`${folder}/${name}`, { ...task, status: 'completed' });
  }
  commitAll(it.gitIn, worktree, `Work on ${id}`);
  const gate = async () => {
    const { code, stdout, stderr } = await saga('gate', id);
    if (code !== 0) throw new Error(`the gate of ${id} failed: ${stdout}${stderr}`);
  };
  await gate();
  return { worktree, saga, gate };
}
