import { expect, test } from 'vitest';
import { proposeSetup, type RepositoryFiles } from './propose-setup.ts';

const propose = (names: string[], json?: RepositoryFiles['package']) =>
  proposeSetup({ has: (name) => names.includes(name), package: json })
    .map(({ command }) => command)
    .join(' && ');

test.each<[names: string[], command: string]>([
  [['package-lock.json'], 'npm ci'],
  [['npm-shrinkwrap.json'], 'npm ci'],
  [['pnpm-lock.yaml'], 'pnpm install --frozen-lockfile'],
  [['yarn.lock'], 'yarn install --frozen-lockfile'],
  [['yarn.lock', '.yarnrc.yml'], 'yarn install --immutable'],
  [['bun.lock'], 'bun install --frozen-lockfile'],
  [['bun.lockb'], 'bun install --frozen-lockfile'],
  [['uv.lock', 'pyproject.toml'], 'uv sync --locked'],
  [['poetry.lock'], 'poetry install'],
  [['Gemfile.lock'], 'bundle install'],
  [['Cargo.lock', 'Cargo.toml'], ''],
  [['go.mod', 'go.sum'], ''],
  [[], ''],
  [
    ['uv.lock', 'package-lock.json', '.gitmodules'],
    'git submodule update --init --recursive && npm ci && uv sync --locked',
  ],
  [['pnpm-lock.yaml', 'package-lock.json'], 'pnpm install --frozen-lockfile'],
])('%j: %s', (names, command) => {
  expect(propose(names)).toBe(command);
});

test('package.json decides between lock files, and stands in for a missing one', () => {
  const both = ['pnpm-lock.yaml', 'package-lock.json'];
  expect(propose(both, { packageManager: 'npm@11.0.0' })).toBe('npm ci');
  expect(propose(['yarn.lock'], { packageManager: 'yarn@4.1.0' })).toBe('yarn install --immutable');
  expect(propose(['yarn.lock'], { packageManager: 'yarn@1.22.22' })).toBe(
    'yarn install --frozen-lockfile',
  );
  expect(propose([], { devDependencies: { mocha: '^10' } })).toBe('npm install --no-package-lock');
  expect(propose([], { dependencies: {} })).toBe('');
  expect(propose([], { packageManager: 7, dependencies: null })).toBe('');
});
