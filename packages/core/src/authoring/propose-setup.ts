/** What a repository has at its top, as far as it says how its dependencies are installed. */
export interface RepositoryFiles {
  has(name: string): boolean;
  /** Of `package.json`, if there is one that can be read. */
  package?: { packageManager?: unknown; dependencies?: unknown; devDependencies?: unknown };
}

/** A command that makes a fresh checkout ready, and the file that says so. */
export interface SetupStep {
  command: string;
  because: string;
}

/**
 * How a fresh worktree of a repository is set up. Lock files decide, and no command changes one: a
 * setup must not leave changes behind. Cargo, Go and others fetch by themselves what they need.
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

/** Packages may lie in submodules. */
const isFirst = ({ because }: SetupStep) => because === '.gitmodules';

/** In this order, unless `packageManager` names one of them. */
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
  // Without a lock file in the repository the command must not leave one either.
  return hasSome
    ? { because: 'package.json', command: 'npm install --no-package-lock' }
    : undefined;
}

/** From version 2 on the flag has another name. */
const isLaterYarn = ({ has, package: json }: RepositoryFiles) =>
  has('.yarnrc.yml') || /^yarn@([2-9]|\d\d)/.test(String(json?.packageManager ?? ''));
