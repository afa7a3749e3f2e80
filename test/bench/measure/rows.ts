/** What is compared; each is a row of the tables. Sizes are in tasks. */
export const VERSION = '--version';
export const READY = (size: number) => `ready, ${formatSize(size)}`;
/** Without the index that an earlier run left. */
export const READY_COLD = (size: number) => `ready, ${formatSize(size)}, cold`;
export const LIST = (size: number) => `list, ${formatSize(size)}`;

/** Of 10,000 stories in a repository. */
export const STATUS = 'status, 10k stories';
/** Without what git said at an earlier run. */
export const STATUS_GIT_COLD = 'status, 10k stories, git cold';

/** On a native list. */
export const TASK_READY = (size: number) => `task ready, ${formatSize(size)}`;
export const TASK_POP = (size: number) => `task pop, ${formatSize(size)}`;
/** A script that does no more than read and parse the same list. */
export const READ_ALL = (size: number) => `read all, ${formatSize(size)}`;

export const SIZES = [1_000, 10_000] as const;
export const LARGEST = 10_000;

export const ROWS = [
  VERSION,
  ...SIZES.flatMap((size) => [READY(size), READY_COLD(size), LIST(size)]),
  STATUS,
  STATUS_GIT_COLD,
];

function formatSize(size: number): string {
  return `${size / 1000}k`;
}
