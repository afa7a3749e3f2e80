export interface ChangesOfStory {
  /** The verify command. */
  command: string;
  changed: readonly string[];
  /** The package.json files that the story changed, as texts. */
  manifests: readonly { path: string; before: string | undefined; after: string | undefined }[];
}

/** Says what a story changed that decides what the verify command does. A person should look at it. */
export function warnOfChanges({ command, changed, manifests }: ChangesOfStory): string[] {
  const words = listWords(command);
  const named = changed.filter(
    (path) => words.includes(path) || words.some((word) => READ_BY[word]?.includes(path)),
  );
  return [
    ...named.map((path) => `the story changed ${path}, which the verify command uses`),
    ...manifests.flatMap(({ path, before, after }) => {
      const scripts = listChangedScripts(readScripts(before), readScripts(after));
      if (before === undefined || scripts.length === 0) return [];
      return [`the story changed scripts in ${path}: ${scripts.join(', ')}`];
    }),
  ];
}

/** The words of a shell command that may be paths, without a leading `./`. */
function listWords(command: string): string[] {
  return command
    .split(/[\s;&|()<>"'`=]+/)
    .flatMap((it) => (it === '' ? [] : [it.replace(/^\.\//, '')]));
}

/** Files that a program reads to know what to do. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile'],
  tox: ['tox.ini'],
  pytest: ['pytest.ini', 'conftest.py'],
  rake: ['Rakefile'],
};

type Scripts = Readonly<Record<string, unknown>>;

function listChangedScripts(before: Scripts, after: Scripts): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).toSorted();
}

function readScripts(text: string | undefined): Scripts {
  try {
    const { scripts } = JSON.parse(text ?? '{}') as { scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? (scripts as Scripts) : {};
  } catch {
    // Not JSON: the package manager will say so.
    return {};
  }
}
