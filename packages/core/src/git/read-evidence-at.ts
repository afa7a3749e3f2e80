import { EVIDENCE_FILE, storyPath } from '@saga-ai/types/plan/plan-paths';
import { Evidence } from '@saga-ai/types/run/evidence';
import type { Git } from './git.ts';

/** Reads the evidence of a story in a commit. Returns undefined if there is none, or if it cannot be read. */
export async function readEvidenceAt(
  git: Git,
  commit: string,
  storyId: string,
): Promise<Evidence | undefined> {
  const name = `${commit}:${storyPath(storyId)}/${EVIDENCE_FILE}`;
  const { code, stdout } = await git.attempt(['cat-file', 'blob', name]);
  if (code !== 0) return undefined;
  try {
    return Evidence.safeParse(JSON.parse(stdout)).data;
  } catch {
    // The file is not JSON, so it is no evidence.
    return undefined;
  }
}
