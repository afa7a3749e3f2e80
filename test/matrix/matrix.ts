import { writeFileSync } from 'node:fs';
import { findClient } from '../rig/client.ts';
import { formatCompatibility, formatTable } from './compatibility.ts';
import { installClient } from './install-client.ts';
import { runContract, type VersionResult } from './run-contract.ts';

/** Runs the contract against clients old and new, prints what holds where, and writes it down. */
const OLD = ['2.1.30', '2.1.100', '2.1.150', '2.1.200', '2.1.233'];
const newest = findClient('').version;
const asked = process.argv.slice(2);
const versions = asked.length > 0 ? asked : [...OLD, newest];

const results: VersionResult[] = [];
for (const version of versions) {
  process.stderr.write(`claude ${version}: installing …\n`);
  const folder = version === newest ? undefined : installClient(version);
  process.stderr.write(`claude ${version}: running the contract …\n`);
  results.push(runContract(version, folder));
}
process.stdout.write(`${formatTable(results)}\n`);
if (asked.length === 0) {
  writeFileSync('docs/compatibility.md', formatCompatibility(results));
  process.stdout.write('wrote docs/compatibility.md\n');
}
process.exitCode = results.some(({ failed }) => failed.length > 0) ? 1 : 0;
