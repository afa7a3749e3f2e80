import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_GROUPS } from '@saga-ai/types/config';
import { storyFilePath, storyPath } from '@saga-ai/types/plan/plan-paths';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { type Groups, loadProjectSettings } from '../plan/config.ts';
import { listIds } from '../plan/list-ids.ts';
import { loadStory } from '../plan/stories.ts';
import { displayPath } from '../project/display-path.ts';
import { INCLUDE_FILE, type Paths } from '../project/paths.ts';
import { findStoryWorktree } from '../project/story-worktrees.ts';
import type { TrustPart } from './trust-part.ts';

/** Settings that hold a shell command. */
const COMMANDS = ['worktree.setup', 'gate.verify', 'epic.verify'];

/** Other settings that name a program, or can give a run more than it has without them. */
const FREEDOMS = [
  'worker.permissions',
  'worker.tools',
  'worker.mcpServers',
  'worker.sandbox',
  ...(CONFIG_GROUPS.get('sandbox') ?? []).map((key) => `sandbox.${key}`),
  'gate.passVariables',
  'worktree.folder',
  'notify.command',
  'notify.webhook',
];

/**
 * Values that give a run no more rights. A default is not among them, because the person's own settings may ask for
 * something stricter.
 */
const STRICT: Readonly<Record<string, string>> = {
  'worker.permissions': '"allowlist"',
  'worker.tools': '[]',
  'worker.mcpServers': '{}',
  'worker.sandbox': '"required"',
  'sandbox.allow': '[]',
  'sandbox.network': '"model"',
  'sandbox.domains': '[]',
  'gate.passVariables': '[]',
};

const COMMAND = 'command';

/** Lists what a run of these stories would take from the repository. Reads files and starts nothing. */
export function listParts(paths: Paths, storyIds: readonly string[]): TrustPart[] {
  return [
    ...listProjectParts(paths),
    ...storyIds.flatMap((id) => [...listVerify(paths, id), ...listWorktreeParts(paths, id)]),
  ];
}

/** Like `listParts`, for all stories. */
export function listAllParts(paths: Paths): TrustPart[] {
  const stories = listIds(paths).filter((id) => existsSync(join(paths.root, storyPath(id))));
  return listParts(paths, stories);
}

/** Lists the parts that all stories of a project share, as they are in the main checkout. */
export function listProjectParts(paths: Paths): TrustPart[] {
  const file = displayPath(paths.root, paths.config);
  const { groups } = loadProjectSettings(paths);
  const included = join(paths.root, INCLUDE_FILE);
  return [
    ...COMMANDS.flatMap((name) => describe(groups, name, file, COMMAND)),
    ...FREEDOMS.flatMap((name) => describe(groups, name, file, name)),
    ...(existsSync(included)
      ? [
          {
            name: INCLUDE_FILE,
            file: INCLUDE_FILE,
            text: readFileSync(included, 'utf8').trim(),
            kind: INCLUDE_FILE,
          },
        ]
      : []),
    ...listClientParts(paths.root, paths.root),
  ];
}

function describe(groups: Groups, name: string, file: string, kind: string): TrustPart[] {
  const [group = '', key = ''] = name.split('.');
  const value = groups[group]?.[key];
  const text = JSON.stringify(value);
  if (value === undefined || value === null || text === STRICT[name]) return [];
  return [{ name, file, text: typeof value === 'string' ? value : text, kind }];
}

/** Lists the verify command of a story, from the live copy. */
export function listVerify(paths: Paths, storyId: string): TrustPart[] {
  const found = readVerify(paths, storyId);
  if (found === undefined) return [];
  const file = storyFilePath(storyId);
  return [{ name: `verify of ${storyId}`, file, text: found, kind: COMMAND }];
}

function readVerify(paths: Paths, storyId: string): string | undefined {
  try {
    return loadStory(paths, storyId).story.verify;
  } catch (error) {
    // A story that cannot be read cannot be run; the command that runs it says why.
    if (error instanceof SagaError) return undefined;
    throw error;
  }
}

/**
 * Lists the parts in the client's settings of the worktree, because the client reads the settings of the checkout in
 * which it works.
 */
export function listWorktreeParts(paths: Paths, storyId: string): TrustPart[] {
  const folder = findStoryWorktree(paths, storyId)?.folder;
  return folder === undefined ? [] : listClientParts(paths.root, folder);
}

function listClientParts(root: string, checkout: string): TrustPart[] {
  return agent.listProjectPrograms(checkout).map(({ file, key, text }) => {
    const name = key === undefined ? file : `${file} ${key}`;
    return { name, file: displayPath(root, join(checkout, file)), text, kind: name };
  });
}
