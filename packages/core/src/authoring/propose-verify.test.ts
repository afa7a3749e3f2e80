import { expect, test } from 'vitest';
import { proposeVerify, type TestedRepository } from './propose-verify.ts';

const propose = (files: Record<string, string>, json?: TestedRepository['package']) =>
  proposeVerify({
    has: (name) => Object.hasOwn(files, name),
    read: (name) => files[name],
    package: json,
  })?.command;

const TESTED = { scripts: { test: 'vitest run' } };

test.each<[string, Record<string, string>, TestedRepository['package'], string | undefined]>([
  ['a test script', {}, TESTED, 'npm test'],
  ['the manager by its lock file', { 'pnpm-lock.yaml': '' }, TESTED, 'pnpm test'],
  ['the manager by its name', {}, { ...TESTED, packageManager: 'yarn@4.1.0' }, 'yarn test'],
  ['bun, whose own test command is another', { 'bun.lock': '' }, TESTED, 'bun run test'],
  [
    'the script of npm init',
    {},
    { scripts: { test: 'echo "Error: no test specified" && exit 1' } },
    undefined,
  ],
  ['scripts that are no scripts', {}, { scripts: [] }, undefined],
  ['a target of make', { Makefile: 'all: x\n\ntest: all\n\t./t\n' }, undefined, 'make test'],
  ['test before check', { Makefile: 'check: lint\ntest:\n\t./t\n' }, undefined, 'make test'],
  ['only check', { makefile: 'check:\n\t./t\n' }, undefined, 'make check'],
  ['a variable is no target', { Makefile: 'test := 1\ntests: x\n' }, undefined, undefined],
  ['Rust', { 'Cargo.toml': '' }, undefined, 'cargo test'],
  ['Go', { 'go.mod': '' }, undefined, 'go test ./...'],
  ['pytest by its file', { 'pytest.ini': '' }, undefined, 'pytest'],
  [
    'pytest by a dependency, with uv',
    { 'pyproject.toml': 'dev = ["pytest>=8"]', 'uv.lock': '' },
    undefined,
    'uv run pytest',
  ],
  ['Python without pytest', { 'pyproject.toml': '[project]' }, undefined, undefined],
  ['the script before everything else', { 'Cargo.toml': '' }, TESTED, 'npm test'],
  ['nothing', {}, undefined, undefined],
])('%s', (_, files, json, command) => {
  expect(propose(files, json)).toBe(command);
});
