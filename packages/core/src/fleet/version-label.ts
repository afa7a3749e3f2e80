/**
 * The label by which jobs find machines with a version that fits: two versions fit if their first two numbers are the
 * same. People cannot write this label, because their labels begin with a letter or a digit.
 */
export function formatVersionLabel(version: string): string {
  return `_saga-${version.split('.').slice(0, 2).join('.')}`;
}

/** The version in such a label, or undefined. */
export const parseVersionLabel = (label: string): string | undefined =>
  /^_saga-(.+)$/.exec(label)?.[1];
