/** Files that count as rooms: what stands beside each of them imports more than the file may. */
export const FILE_ROOMS = [
  'core/errors',
  'core/agents/chosen',
  'core/worker/context',
  'cli/command',
  'cli/environment',
  'cli/stop-signal',
];

/**
 * Imports that close a circle of rooms, each explained in ARCHITECTURE.md. Without them no room imports itself
 * through others.
 */
export const ROOM_CIRCLES: readonly (readonly [room: string, target: string])[] = [
  ['types/plan', 'types/words'],
  ['types/run', 'types/words'],
  ['types/screens', 'types/screens/json'],
  ['dashboard/client/epic-run/inspector', 'dashboard/client/epic-run'],
  ['dashboard/client/plan/claude', 'dashboard/client/plan'],
  ['dashboard/client/plan/form', 'dashboard/client/plan'],
  ['dashboard/client/plan/order', 'dashboard/client/plan'],
  ['dashboard/client/review/diff', 'dashboard/client/review'],
];

export const MOST_FILES = 20;

/** A test beside the code belongs to a package, and builds on the rig. */
export const TESTS_MAY_IMPORT: Record<string, string[]> = {
  types: ['packages/types', 'test/rig'],
  core: ['packages/types', 'packages/core', 'packages/model', 'test/rig'],
  model: ['packages/types', 'packages/core', 'packages/model', 'test/rig'],
  engine: ['packages/types', 'packages/core', 'packages/engine', 'test/rig'],
  dashboard: ['packages/types', 'packages/core', 'packages/dashboard', 'test/rig'],
  cli: ['packages/types', 'packages/core', 'packages/model', 'packages/cli', 'test/rig'],
};

/** Folders of the rig, lowest first: each builds on those before it. */
export const RIG =
  'random epic programs postgres project client github screens worker faults'.split(' ');

/** Beside the command: programs that the client starts on their own. */
export const READS_ENVIRONMENT = [
  'packages/cli/src/environment.ts',
  'packages/core/src/agents/claude/guard-program.ts',
  'packages/cli/src/hooks/scope-validator.ts',
  'packages/cli/src/hooks/sync-hook.ts',
];
