import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const ran = new RanLines(code, JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const run = (...names: string[]) => {
    const counted = join(folder.path, `counted-${names.length}`);
    const env = { NODE_V8_COVERAGE: counted };
    expect(spawnSync(process.execPath, [bundle, ...names], { env }).status).toBe(0);
    const [file = ''] = readdirSync(counted);
    const { result } = JSON.parse(readFileSync(join(counted, file), 'utf8'));
    // Node's own scripts are listed too.
    for (const { url, functions } of result) if (url.endsWith('/main.cjs')) ran.add(functions);
    return [4, 6, 10, 14].filter((line) => ran.lines().get('main.ts')?.has(line));
  };
  expect(run('Ada')).toEqual([6, 14]);
  // What another process ran stays counted.
  expect(run('', '')).toEqual([4, 6, 14]);
});
