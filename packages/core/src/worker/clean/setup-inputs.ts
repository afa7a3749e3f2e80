import { basename } from 'node:path';

/** A file of a commit, as `git ls-tree` lists it. */
export interface CommitFile {
  path: string;
  /** git's hash of the content. For a submodule, its commit. */
  hash: string;
  isSubmodule: boolean;
}

/**
 * Picks the files that decide what a setup command installs: lock files, the files that declare
 * dependencies, submodules, and files that the command itself names.
 */
export function pickSetupInputs(files: readonly CommitFile[], command: string): CommitFile[] {
  const named = new Set(listWords(command));
  return files.filter(
    ({ path, isSubmodule }) =>
      isSubmodule || INPUTS.has(basename(path)) || named.has(path) || isRequirements(path),
  );
}

/** The words of a shell command that may be paths, without a leading `./`. */
export function listWords(command: string): string[] {
  return command
    .split(/[\s;&|()<>"'`=]+/)
    .flatMap((it) => (it === '' ? [] : [it.replace(/^\.\//, '')]));
}

export function parseTree(records: readonly string[]): CommitFile[] {
  return records.map((record) => {
    const tab = record.indexOf('\t');
    const [mode = '', , hash = ''] = record.slice(0, tab).split(' ');
    return { path: record.slice(tab + 1), hash, isSubmodule: mode === '160000' };
  });
}

const isRequirements = (path: string) =>
  /^(requirements|constraints).*\.(txt|in)$/.test(basename(path));

const INPUTS = new Set([
  ...[
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
  ],
  ...[
    '.pnpmfile.cjs',
    'yarn.lock',
    '.yarnrc',
    '.yarnrc.yml',
    'bun.lock',
    'bun.lockb',
    'bunfig.toml',
  ],
  ...[
    'deno.json',
    'deno.jsonc',
    'deno.lock',
    '.npmrc',
    '.nvmrc',
    '.node-version',
    '.tool-versions',
    'mise.toml',
  ],
  ...[
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'poetry.lock',
    'uv.lock',
    'pdm.lock',
    'Pipfile',
    'Pipfile.lock',
  ],
  ...['.python-version', 'environment.yml', 'conda-lock.yml', 'pixi.toml', 'pixi.lock'],
  ...[
    'Cargo.toml',
    'Cargo.lock',
    'rust-toolchain',
    'rust-toolchain.toml',
    'go.mod',
    'go.sum',
    'go.work',
    'go.work.sum',
  ],
  ...[
    'Gemfile',
    'Gemfile.lock',
    '.ruby-version',
    'composer.json',
    'composer.lock',
    'mix.exs',
    'mix.lock',
  ],
  ...[
    'pubspec.yaml',
    'pubspec.lock',
    'Package.swift',
    'Package.resolved',
    'packages.lock.json',
    'global.json',
  ],
  ...[
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'settings.gradle',
    'settings.gradle.kts',
    'gradle.lockfile',
  ],
  ...[
    'gradle.properties',
    'libs.versions.toml',
    'flake.nix',
    'flake.lock',
    '.gitmodules',
    'Makefile',
    'justfile',
  ],
]);
