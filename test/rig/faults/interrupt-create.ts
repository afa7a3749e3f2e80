import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killProgram, type Moment, spinUntil } from '../programs/kill-program.ts';
import { SAGA } from '../programs/run-program.ts';
import type { TempProject } from '../project/temp-project.ts';

/** Kills a `saga create` at a moment. */
export async function killCreate(
  project: TempProject,
  draft: object,
  moment: Moment,
): Promise<void> {
  const file = join(project.root, 'draft.json');
  writeFileSync(file, JSON.stringify(draft));
  await killProgram(SAGA, ['create', '--file', file], moment, project.root);
}

/** All files of the draft are on disk and marked as such, but hardly any is in its place. */
export const whenCommitted = (project: TempProject, done: () => boolean) => () =>
  spinUntil(() => isUnfinished(project) || done());

export function isUnfinished({ paths }: TempProject): boolean {
  if (!existsSync(paths.staging)) return false;
  return readdirSync(paths.staging).some((name) => {
    return existsSync(join(paths.staging, name, 'committed'));
  });
}
