import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VersionResult } from './run-contract.ts';

export const RESULTS = '.cache/matrix';

export function saveResult(result: VersionResult): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(
    fileOf(result.version),
    JSON.stringify({ ...result, verdicts: [...result.verdicts] }),
  );
}

export function loadResult(version: string): VersionResult | undefined {
  if (!existsSync(fileOf(version))) return undefined;
  const kept = JSON.parse(readFileSync(fileOf(version), 'utf8'));
  return { ...kept, verdicts: new Map(kept.verdicts) };
}

const fileOf = (version: string) => join(RESULTS, `${version}.json`);
