/** One line of a git settings file: `section.name` or `section.subsection.name`, and its value. */
export type Setting = readonly [key: string, value: string];

export interface ConfigChanges {
  /** Keys that are put back: they can make git run a program, or lead it elsewhere. */
  undone: string[];
  /** Keys that stay as they are now, with all their values. */
  kept: Map<string, string[]>;
  /** The kept keys that are reported. */
  noticed: string[];
}

/**
 * Sorts what changed in a settings file while a run worked. People and other workers write this file, too,
 * so a few keys that can do no harm stay. All others are put back.
 */
export function sortConfigChanges(
  before: readonly Setting[],
  after: readonly Setting[],
  { isNewModule = false }: { isNewModule?: boolean } = {},
): ConfigChanges {
  const [then, now] = [groupByKey(before), groupByKey(after)];
  const keys = [...new Set([...then.keys(), ...now.keys()])].filter(
    (key) => JSON.stringify(then.get(key)) !== JSON.stringify(now.get(key)),
  );
  const remotes = new Set(before.flatMap(([key]) => remoteOf(key) ?? []));
  const isKept = (key: string) =>
    HARMLESS.some((it) => it.test(key)) ||
    isFurtherRemote(key, remotes) ||
    (isNewModule && IN_NEW_MODULE.test(key));
  const kept = keys.filter(isKept);
  return {
    undone: keys.filter((key) => !isKept(key)),
    kept: new Map(kept.map((key) => [key, now.get(key) ?? []])),
    noticed: isNewModule ? [] : kept.filter((key) => !EXPECTED.test(key)),
  };
}

/** Keys that every push of another worker and every `git switch` of a person may write. */
const EXPECTED = /^branch\./;

const HARMLESS = [
  EXPECTED,
  /^(user|gc|maintenance|pull|rerere|gui)\./,
  /^push\.(default|autosetupremote)$/,
  /^lfs\.repositoryformatversion$/,
  /^lfs\..+\.(access|locksverify)$/,
  /^submodule\..+\.(url|active)$/,
];

/** Keys that git itself writes when it checks a submodule out for the first time. */
const IN_NEW_MODULE =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|worktree|ignorecase|symlinks|precomposeunicode)|extensions\.objectformat|remote\.[^.]+\.(url|fetch))$/;

const remoteOf = (key: string) => /^remote\.(.+)\.[^.]+$/.exec(key)?.[1];

/** Whether a key belongs to a remote that is new and that SAGA would not choose to push to. */
function isFurtherRemote(key: string, before: ReadonlySet<string>): boolean {
  const remote = remoteOf(key);
  if (remote === undefined || remote === 'origin' || before.size === 0) return false;
  return !before.has(remote) && /\.(url|fetch)$/.test(key);
}

function groupByKey(settings: readonly Setting[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, value] of settings) groups.set(key, [...(groups.get(key) ?? []), value]);
  return groups;
}
