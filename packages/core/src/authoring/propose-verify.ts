/** The files at the top of a repository that say how it is tested. */
export interface TestedRepository {
  has(name: string): boolean;
  /** The text of a file; undefined if it is missing or cannot be read. */
  read(name: string): string | undefined;
  /** The content of `package.json`, if it exists and can be read. */
  package?: { packageManager?: unknown; scripts?: unknown };
}

/** A command that tests the repository, and the file that suggests it. */
export interface VerifyProposal {
  command: string;
  because: string;
}

/** Proposes the command of the gate. The first file that names tests decides; undefined if none does. */
export function proposeVerify(files: TestedRepository): VerifyProposal | undefined {
  for (const propose of RULES) {
    const found = propose(files);
    if (found) return found;
  }
  return undefined;
}

const RULES: readonly ((files: TestedRepository) => VerifyProposal | undefined)[] = [
  proposeScript,
  proposeMake,
  ({ has }) => (has('Cargo.toml') ? { command: 'cargo test', because: 'Cargo.toml' } : undefined),
  ({ has }) => (has('go.mod') ? { command: 'go test ./...', because: 'go.mod' } : undefined),
  proposePython,
];

/** What `npm init` writes if a project has no tests. It always fails. */
const NO_TEST = /no test specified/;

function proposeScript({ has, package: json }: TestedRepository): VerifyProposal | undefined {
  const { scripts, packageManager } = json ?? {};
  const test = (scripts as { test?: unknown } | undefined | null)?.test;
  if (typeof test !== 'string' || test.trim() === '' || NO_TEST.test(test)) return undefined;
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(packageManager ?? '')) ?? [];
  const locked = LOCKS.find(([name]) => has(name))?.[1];
  // `bun test` is a test runner of its own; the script needs `run`.
  const manager = named ?? locked ?? 'npm';
  const command = manager === 'bun' ? 'bun run test' : `${manager} test`;
  return { command, because: 'the test script in package.json' };
}

const LOCKS: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

function proposeMake({ read }: TestedRepository): VerifyProposal | undefined {
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const target = /^(check|test)\s*:(?!=)/m.exec(preferTest(read(name) ?? ''))?.[1];
    if (target !== undefined) {
      return { command: `make ${target}`, because: `the target ${target} in ${name}` };
    }
  }
  return undefined;
}

/** Leaves out the target `check` if there is a target `test`. */
const preferTest = (text: string) =>
  /^test\s*:(?!=)/m.test(text) ? text.replace(/^check\s*:/gm, '') : text;

function proposePython({ has, read }: TestedRepository): VerifyProposal | undefined {
  const because = ['pytest.ini', 'conftest.py'].find(has) ?? findPytest(read);
  if (because === undefined) return undefined;
  const runner = has('uv.lock') ? 'uv run ' : has('poetry.lock') ? 'poetry run ' : '';
  return { command: `${runner}pytest`, because };
}

function findPytest(read: TestedRepository['read']): string | undefined {
  return ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements-dev.txt'].find((name) =>
    /\bpytest\b/.test(read(name) ?? ''),
  );
}
