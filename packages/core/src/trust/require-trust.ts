import { count } from '@saga-ai/types/words/amounts';
import { SagaError } from '../errors.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import { listParts, listWorktreeParts } from './list-parts.ts';
import { type JudgedPart, judgeParts, type TrustPart } from './trust-part.ts';
import { loadAgreed } from './trust-record.ts';

/** Says for this command and what it starts that everything is trusted. */
export const TRUST_VARIABLE = 'SAGA_TRUST';

/** Lists what runs of the stories would take from the repository although the person never agreed to it. */
export function findUntrusted(
  paths: Paths,
  storyIds: readonly string[],
  env: Environment,
): JudgedPart[] {
  return filterUntrusted(paths, listParts(paths, storyIds), env);
}

export function filterUntrusted(
  paths: Paths,
  parts: readonly TrustPart[],
  env: Environment,
): JudgedPart[] {
  if (isTrustedByWord(env) || parts.length === 0) return [];
  return judgeParts(parts, loadAgreed(paths, env)).filter(({ state }) => state !== 'known');
}

/** Throws unless the person agreed to everything that runs of the stories would take from the repository. */
export function requireTrust(paths: Paths, storyIds: readonly string[], env: Environment): void {
  refuse(paths, findUntrusted(paths, storyIds, env));
}

/** Throws unless the person agreed to these parts. */
export function requireTrustedParts(
  paths: Paths,
  parts: readonly TrustPart[],
  env: Environment,
): void {
  refuse(paths, filterUntrusted(paths, parts, env));
}

/** Throws if the story's worktree brings settings of the client that the main checkout does not have. */
export function requireTrustedWorktree(paths: Paths, storyId: string, env: Environment): void {
  refuse(paths, filterUntrusted(paths, listWorktreeParts(paths, storyId), env));
}

const isTrustedByWord = (env: Environment): boolean =>
  !['', '0', 'false', undefined].includes(env[TRUST_VARIABLE]);

const MOST_NAMED = 4;

function refuse({ root }: Paths, parts: readonly JudgedPart[]): void {
  if (parts.length === 0) return;
  const names = parts.slice(0, MOST_NAMED).map(({ name, file }) => nameWithFile(name, file));
  const more = parts.length - names.length;
  const list = [...names, ...(more > 0 ? [count(more, 'more', 'more')] : [])].join(', ');
  throw new SagaError(
    'untrusted',
    `${root} would run programs that you have not agreed to: ${list}.`,
    'See them and agree: saga trust. In CI: --trust, or SAGA_TRUST=1.',
  );
}

const nameWithFile = (name: string, file: string) =>
  name.startsWith(file) ? name : `${name} (${file})`;
