import { foldName } from './fold-name.ts';
import { filterByGlobs } from './globs.ts';

/** Files that tell a CI what to run. A CI runs them with the repository's secrets, before anybody has reviewed them. */
export const CI_FILES = [
  '.github/workflows/**',
  '.github/actions/**',
  '.gitea/workflows/**',
  '.forgejo/workflows/**',
  '.gitlab-ci.yml',
  '.gitlab/ci/**',
  '.circleci/**',
  '.buildkite/**',
  '.travis.yml',
  '.drone.yml',
  '.woodpecker.yml',
  '.woodpecker/**',
  '.cirrus.yml',
  '.semaphore/**',
  '.teamcity/**',
  '.appveyor.yml',
  'appveyor.yml',
  'azure-pipelines.yml',
  'azure-pipelines.yaml',
  'bitbucket-pipelines.yml',
  'cloudbuild.yaml',
  '**/Jenkinsfile',
];

/** Which files a story may not change. */
export interface Protection {
  /** Globs that hold for every project, unless the story's `writeFiles` name the file. */
  byDefault: readonly string[];
  /** The globs of `gate.protectedFiles`. With `!` in front, a glob frees files that are protected by default. */
  configured: readonly string[];
  writeFiles?: readonly string[] | undefined;
}

/** Returns the files that are protected. */
export function findProtected(
  files: readonly string[],
  { byDefault, configured, writeFiles = [] }: Protection,
): string[] {
  const freed = configured.filter((glob) => glob.startsWith('!')).map(fold);
  const isDefault = (path: string) => matches(fold(path), [...byDefault.map(fold), ...freed]);
  const own = new Set(filterByGlobs(files, configured));
  return files.filter(
    (path) => own.has(path) || (isDefault(path) && !isNamed(path, byDefault, writeFiles)),
  );
}

/** The globs that are protected by default and that `writeFiles` does not name, for people and models to read. */
export function listDefaults({ byDefault, configured, writeFiles = [] }: Protection): string[] {
  const freed = configured
    .filter((glob) => glob.startsWith('!'))
    .map((glob) => fold(glob.slice(1)));
  return byDefault.filter(
    (glob) => !freed.includes(fold(glob)) && !writeFiles.some((it) => names(it, glob)),
  );
}

/** `docs/**` does not name `docs/rules.md`: the glob must contain the name of what is protected. */
function isNamed(path: string, byDefault: readonly string[], writeFiles: readonly string[]) {
  const globs = byDefault.filter((glob) => matches(fold(path), [fold(glob)]));
  return writeFiles.some(
    (it) => matches(path, [it]) && globs.some((protectedGlob) => names(it, protectedGlob)),
  );
}

/** Whether a glob of `writeFiles` contains the name of a protected file, or the first plain name of a glob. */
function names(glob: string, protectedGlob: string): boolean {
  const parts = protectedGlob.split('/');
  const name = protectedGlob.includes('*') ? parts.find((it) => !it.includes('*')) : parts.at(-1);
  return name !== undefined && fold(glob).split('/').includes(fold(name));
}

const matches = (path: string, globs: readonly string[]) => filterByGlobs([path], globs).length > 0;
const fold = (path: string) => path.split('/').map(foldName).join('/');
