/** The files at the top of a repository that say how its dependencies are installed. */
export interface RepositoryFiles {
  has(name: string): boolean;
  /** The content of `package.json`, if it exists and can be read. */
  package?: { packageManager?: unknown; dependencies?: unknown; devDependencies?: unknown };
}

/** A command that prepares a fresh checkout, and the file that suggests it. */
export interface SetupStep {
  command: string;
  because: string;
}

/**
 * Proposes how to set up a fresh worktree. Lock files decide, and no proposed command changes one,
 * because a setup must not leave changes. Cargo, Go and others fetch their dependencies themselves.
 */
export function proposeSetup(files: RepositoryFiles): SetupStep[] {
  const found = OTHERS.filter(({ because }) => files.has(because));
  const script = proposeForNode(files);
  return [
    ...found.filter(isFirst),
    ...(script ? [script] : []),
    ...found.filter((it) => !isFirst(it)),
  ];
}

const OTHERS: readonly SetupStep[] = [
  { because: '.gitmodules', command: 'git submodule update --init --recursive' },
  { because: 'uv.lock', command: 'uv sync --locked' },
  { because: 'poetry.lock', command: 'poetry install' },
  { because: 'Pipfile.lock', command: 'pipenv sync --dev' },
  { because: 'Gemfile.lock', command: 'bundle install' },
  { because: 'composer.lock', command: 'composer install' },
  { because: 'mix.lock', command: 'mix deps.get' },
];

/** Submodules come first, because packages may be in them. */
const isFirst = ({ because }: SetupStep) => because === '.gitmodules';

/** The package managers in order of preference, unless `packageManager` names one. */
const NODE: readonly (SetupStep & { manager: string })[] = [
  { manager: 'pnpm', because: 'pnpm-lock.yaml', command: 'pnpm install --frozen-lockfile' },
  { manager: 'yarn', because: 'yarn.lock', command: 'yarn install --frozen-lockfile' },
  { manager: 'bun', because: 'bun.lock', command: 'bun install --frozen-lockfile' },
  { manager: 'bun', because: 'bun.lockb', command: 'bun install --frozen-lockfile' },
  { manager: 'npm', because: 'package-lock.json', command: 'npm ci' },
  { manager: 'npm', because: 'npm-shrinkwrap.json', command: 'npm ci' },
];

function proposeForNode(files: RepositoryFiles): SetupStep | undefined {
  const locked = NODE.filter(({ because }) => files.has(because));
  const [, named] = /^(\w+)@/.exec(String(files.package?.packageManager ?? '')) ?? [];
  const chosen = locked.find(({ manager }) => manager === named) ?? locked[0];
  if (chosen?.manager === 'yarn' && isLaterYarn(files)) {
    return { because: chosen.because, command: 'yarn install --immutable' };
  }
  if (chosen) return { because: chosen.because, command: chosen.command };
  const { dependencies, devDependencies } = files.package ?? {};
  const hasSome = [dependencies, devDependencies].some((it) => Object.keys(it ?? {}).length > 0);
  // The repository has no lock file, so the command must not create one.
  return hasSome
    ? { because: 'package.json', command: 'npm install --no-package-lock' }
    : undefined;
}

/** Whether Yarn is version 2 or later, which has another flag. */
const isLaterYarn = ({ has, package: json }: RepositoryFiles) =>
  has('.yarnrc.yml') || /^yarn@([2-9]|\d\d)/.test(String(json?.packageManager ?? ''));
