import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '@saga-ai/types/run/evidence';
import type { PlanFiles } from './plan-files.ts';
import { openGit } from './repository.ts';

/** The environment of git in a plan: it reads none of the person's settings. */
export const PLAN_ENV = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** Returns evidence as a gate writes it. Without `fields` it is that of a gate that passed. */
export function createEvidence(story: string, fields: Partial<Evidence> = {}): Evidence {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    version: 1,
    story,
    outcome: 'passed',
    base: '0'.repeat(40),
    head: '1'.repeat(40),
    tree: '2'.repeat(40),
    startedAt: at,
    endedAt: at,
    checks: [{ name: 'tasks', outcome: 'passed', detail: 'all tasks are completed' }],
    verify: {
      command: 'npm test',
      exitCode: 0,
      startedAt: at,
      endedAt: at,
      outputSha256: '3'.repeat(64),
      outputEnd: '',
    },
    restored: [],
    ...fields,
  };
}

/** Completes all tasks of a story and commits the story with evidence that its gate passed. */
export function completeStory(
  files: Pick<PlanFiles, 'root' | 'read' | 'write'>,
  id: string,
  fields: Partial<Evidence> = {},
): void {
  const folder = `.saga/stories/${id}`;
  for (const name of readdirSync(join(files.root, folder))) {
    if (!name.endsWith('.json') || ['story.json', 'evidence.json'].includes(name)) continue;
    const task = JSON.parse(files.read(`${folder}/${name}`));
    files.write(`${folder}/${name}`, { ...task, status: 'completed' });
  }
  files.write(`${folder}/evidence.json`, createEvidence(id, fields));
  const git = openGit(PLAN_ENV);
  git(files.root, 'add', '-f', folder);
  git(files.root, 'commit', '-q', '-m', `Merge ${id}`, '--', folder);
}
