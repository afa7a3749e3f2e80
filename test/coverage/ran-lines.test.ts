import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createTempFolder } from '../rig/project/temp-folder.ts';
import { RanLines } from './ran-lines.ts';

const SOURCE = `
export function greet(name: string): string {
  if (name === '') {
    return 'Hello, nobody'; // 4
  }
  return \`Hello, \${name} ✓\`; // 6
}

function never(): void {
  console.log('never'); // 10
}

const [, , ...names] = process.argv;
for (const name of names) console.log(greet(name)); // 14
if (names.length > 5) never();
`;

test('the lines that a bundle ran are those of its sources, over all its processes', async () => {
  using folder = createTempFolder();
  const [source, bundle] = [join(folder.path, 'main.ts'), join(folder.path, 'main.cjs')];
  writeFileSync(source, SOURCE);
  const options = { bundle: true, format: 'cjs', platform: 'node', charset: 'utf8' } as const;
  await build({ ...options, entryPoints: [source], outfile: bundle, sourcemap: 'external' });
  const code = readFileSync(bundle, 'utf8');
  const ran = RanLines.ofBundle(code, JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  expect(run(bundle, ran, 'Ada')).toEqual([6, 14]);
  // What another process ran stays counted.
  expect(run(bundle, ran, '', '')).toEqual([4, 6, 14]);
});

test('a source that Node runs as it is needs no map', () => {
  using folder = createTempFolder();
  const source = join(folder.path, 'main.ts');
  writeFileSync(source, SOURCE);
  const ran = RanLines.ofSource(SOURCE, 'main.ts');
  expect(run(source, ran, 'Ada')).toEqual([6, 14]);
  expect(run(source, ran, '', '')).toEqual([4, 6, 14]);
});

/** Runs a script and returns which of the marked lines ran in all runs up to now. */
function run(script: string, ran: RanLines, ...names: string[]): number[] {
  const counted = `${script}.counted-${names.length}`;
  const env = { NODE_V8_COVERAGE: counted };
  expect(spawnSync(process.execPath, [script, ...names], { env }).status).toBe(0);
  const [file = ''] = readdirSync(counted);
  const { result } = JSON.parse(readFileSync(join(counted, file), 'utf8'));
  for (const { url, functions } of result) {
    // Node's own scripts are listed too.
    if (url === pathToFileURL(script).href) ran.add(functions);
  }
  return [4, 6, 10, 14].filter((line) => ran.lines().get('main.ts')?.has(line));
}
