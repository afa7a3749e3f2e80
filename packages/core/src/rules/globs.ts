import picomatch from 'picomatch';

/** Files that fit one of the globs; a folder's name stands for all that is in it. */
export function filterByGlobs(files: readonly string[], globs: readonly string[]): string[] {
  const patterns = globs.flatMap((glob) => {
    const pattern = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    return [pattern, `${pattern}/**`];
  });
  const fits = picomatch(patterns, { dot: true });
  return files.filter((file) => fits(file));
}
