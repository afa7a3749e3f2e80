import { build } from 'esbuild';
import { expect, test } from 'vitest';

/**
 * What a command runs before it does anything. Measured in modules rather than milliseconds, so
 * that it fails for the one who adds an import and not for the one with a slow machine.
 */
async function modulesRunBy(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'node',
    splitting: true,
    outdir: 'never-written',
    write: false,
    metafile: true,
  });
  const outputs = metafile.outputs;
  const first = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === entry);
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) visit(path);
    }
  };
  visit(first ?? '');
  return [...seen].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
}

test('saga --version runs three small files', async () => {
  expect((await modulesRunBy('packages/cli/src/main.ts')).toSorted()).toEqual([
    'packages/cli/package.json',
    'packages/cli/src/main.ts',
    'packages/cli/src/output/write.ts',
    'packages/cli/src/version.ts',
  ]);
});

test('finding a command loads no command and no library', async () => {
  const modules = await modulesRunBy('packages/cli/src/run.ts');
  expect(modules.filter((path) => /\/commands\/|node_modules/.test(path))).toEqual([]);
});

test.each(['ready', 'list', 'status'])(
  'saga %s loads no library while nothing changed',
  async (name) => {
    const modules = await modulesRunBy(`packages/cli/src/commands/plan/${name}.ts`);
    expect(modules).toContain('packages/core/src/overview/overview.ts');
    expect(modules.filter((path) => path.includes('node_modules'))).toEqual([]);
  },
);

test.each(['run', 'worker', 'stop', 'tell', 'logs', 'sessions'])(
  'saga %s loads nothing of a fleet unless an engine is set',
  async (name) => {
    const modules = await modulesRunBy(`packages/cli/src/commands/run/${name}.ts`);
    const ofFleet = /packages\/engine\/|pg-boss|core\/src\/fleet\/(agent|mirror)\//;
    expect(modules.filter((path) => ofFleet.test(path))).toEqual([]);
  },
);
