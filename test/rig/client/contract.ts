import { isAtLeast } from '@saga-ai/types/words/versions';
import { test } from 'vitest';
import { findClient } from './client.ts';
import { createStage, type Stage } from './stage.ts';

export interface Range {
  /** The first client version for which the assumption holds. Undefined means all supported versions. */
  since?: string;
  /** The first version for which the assumption no longer holds. */
  until?: string;
}

/** One assumption about the real client. When it fails, its name and the version say what broke. */
export function contract(
  assumption: string,
  { since = '0.0.0', until }: Range,
  act: (stage: Stage) => Promise<void>,
): void {
  const { version } = findClient();
  const applies = isAtLeast(version, since) && !(until && isAtLeast(version, until));
  const range = `${since === '0.0.0' ? '' : ` since ${since}`}${until ? ` until ${until}` : ''}`;
  const name = `${assumption} [claude ${version}${range}]`;
  test(name, { skip: !applies }, async () => {
    await using stage = await createStage();
    await act(stage);
  });
}
