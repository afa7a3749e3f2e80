import picomatch from 'picomatch';

/**
 * Returns the files that match one of the globs. A folder's name matches everything in it; a glob with
 * `!` in front excludes files again. A name that only looks like a glob, such as `app/[id]/page.tsx`,
 * matches itself.
 */
export function filterByGlobs(files: readonly string[], globs: readonly string[]): string[] {
  const isTaken = (glob: string) => glob.startsWith('!');
  const wanted = buildMatcher(globs.filter((glob) => !isTaken(glob)));
  const unwanted = buildMatcher(globs.filter(isTaken).map((glob) => glob.slice(1)));
  return files.filter((file) => wanted(file) && !unwanted(file));
}

function buildMatcher(globs: readonly string[]): (file: string) => boolean {
  const names = globs.map((glob) => glob.replace(/^\.?\//, '').replace(/\/$/, ''));
  const fits = picomatch(
    names.flatMap((name) => [name, `${name}/**`]),
    { dot: true, nonegate: true },
  );
  return (file) =>
    (names.length > 0 && fits(file)) ||
    names.some((name) => file === name || file.startsWith(`${name}/`));
}
