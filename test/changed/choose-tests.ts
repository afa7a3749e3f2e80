/** Everything that can import or be imported, by path: what it imports, and the words that it quotes. */
export interface SourceFile {
  path: string;
  imports: readonly string[];
  quoted: ReadonlySet<string>;
}

export interface Chosen {
  /** The tests to run, those nearest to the change first. */
  run: string[];
  /** What the change can touch, too, and for which there is no time. */
  left: string[];
  /** Changed files that no import leads to. */
  unknown: string[];
}

/** What is read or started as a file, not imported: what changed, and the tests that look at it. */
const READ_BY: readonly (readonly [changed: RegExp, test: RegExp])[] = [
  [/^plugin\/|^packages\/cli\/src\/hooks\//, /^test\/(e2e|contract)\/plugin/],
  [/^plugin\/skills\//, /^test\/runs\/plugin-skills/],
  [/\.md$/, /^test\/(docs|picture)\.test|^test\/e2e\/readme/],
  [/^scripts\/|^package\.json$/, /^test\/(build|setup|workflows)\.test/],
  [/^\.github\//, /^test\/workflows\.test/],
];

/** Where a program is started that is built from all commands: who imports this quotes what it starts. */
const STARTER = 'test/rig/programs/run-program.ts';
/** Loads the file of each command when that command is called. */
const TABLE = 'packages/cli/src/command-table.ts';

export const isTest = (path: string) => /\.test\.tsx?$/.test(path);

/**
 * Chooses the tests that a change can touch, as many as fit into the time. They import what changed, themselves or
 * through others, or start a command that does.
 */
export function chooseTests(
  files: readonly SourceFile[],
  changed: readonly string[],
  { limitMs, msOf }: { limitMs: number; msOf: (path: string) => number },
): Chosen {
  const known = new Map(files.map((file) => [file.path, file]));
  const isRead = (path: string) =>
    changed.some((it) => READ_BY.some(([of, by]) => of.test(it) && by.test(path)));
  const readers = [...known.keys()].filter((path) => isTest(path) && isRead(path));
  const distances = measureDistances(withStarts(known), [...changed, ...readers]);
  const touched = [...distances]
    .filter(([path]) => isTest(path))
    .sort(([a, x], [b, y]) => x - y || msOf(a) - msOf(b) || a.localeCompare(b))
    .map(([path]) => path);
  const chosen: Chosen = {
    ...{ run: [], left: [] },
    unknown: changed.filter((path) => !known.has(path) && !READ_BY.some(([of]) => of.test(path))),
  };
  let ms = 0;
  for (const path of touched) {
    ms += msOf(path);
    // A test that was changed itself is always run.
    const fits = ms <= limitMs || changed.includes(path);
    (fits ? chosen.run : chosen.left).push(path);
  }
  return chosen;
}

/** The imports of every file; for a test that starts the built command also the files of the commands that it quotes. */
function withStarts(files: ReadonlyMap<string, SourceFile>): Map<string, readonly string[]> {
  const commands = new Map(
    (files.get(TABLE)?.imports ?? []).map((path) => [
      /(\w[\w-]*)\.ts$/.exec(path)?.[1] ?? '',
      path,
    ]),
  );
  const imports = new Map<string, readonly string[]>();
  for (const { path, imports: own, quoted } of files.values()) {
    const helpers = own.filter((it) => it.startsWith('test/'));
    const starts =
      isTest(path) &&
      [...helpers, ...helpers.flatMap((it) => files.get(it)?.imports ?? [])].includes(STARTER);
    const started = starts ? [...commands].filter(([name]) => quoted.has(name)) : [];
    // The table leads to every command; only who quotes a command starts it.
    const direct = path === TABLE ? [] : own;
    imports.set(path, [...direct, ...started.map(([, file]) => file)]);
  }
  return imports;
}

/** How many imports lie between a file and the nearest change; without those that no import leads to. */
function measureDistances(
  imports: ReadonlyMap<string, readonly string[]>,
  changed: readonly string[],
): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const distances = new Map(changed.map((path) => [path, 0]));
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}
