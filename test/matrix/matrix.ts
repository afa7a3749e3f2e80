import { rmSync, writeFileSync } from 'node:fs';
import { TESTED_CLIENTS } from '@saga-ai/core/agents/claude/client-features';
import { findClient } from '../rig/client/client.ts';
import { formatCompatibility, formatTable } from './compatibility.ts';
import { installClient } from './install-client.ts';
import { loadResult, RESULTS, saveResult } from './result-file.ts';
import { runContract, type VersionResult } from './run-contract.ts';

/**
 * Runs the contract against clients old and new, prints what holds where, and writes it down. It
 * takes a while, so each version's result is kept: `-- --continue` goes on where it was cut off.
 */
const versions = TESTED_CLIENTS;
const newest = findClient('').version;
if (versions.at(-1) !== newest) throw new Error(`TESTED_CLIENTS must end with ${newest}`);
if (!process.argv.includes('--continue')) rmSync(RESULTS, { recursive: true, force: true });

// The newest first: it is the one most people have.
const results = new Map<string, VersionResult>();
for (const version of versions.toReversed()) {
  const result = loadResult(version) ?? runVersion(version);
  results.set(version, result);
  const inOrder = versions.flatMap((it) => results.get(it) ?? []);
  writeFileSync('docs/compatibility.md', formatCompatibility(inOrder));
}
const all = versions.flatMap((it) => results.get(it) ?? []);
process.stdout.write(`${formatTable(all)}\nwrote docs/compatibility.md\n`);
process.exitCode = all.some(({ failed }) => failed.length > 0) ? 1 : 0;

function runVersion(version: string): VersionResult {
  process.stderr.write(`claude ${version}: installing …\n`);
  const folder = version === newest ? undefined : installClient(version);
  process.stderr.write(`claude ${version}: running the contract …\n`);
  const result = runContract(version, folder);
  saveResult(result);
  return result;
}
