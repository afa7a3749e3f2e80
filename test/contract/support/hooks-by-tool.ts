import type { Turn } from '@saga-ai/model';
import { expect } from 'vitest';
import type { Stage, StagedRun } from '../../rig/client/stage.ts';
import type { Hook } from './hooks-settings.ts';
import { bash, calls, DONE, seenCalls, writes } from './hooks-write.ts';

/** Four tools, so that one run shows what four hooks do. */
export type HooksByTool = Record<'Write' | 'Bash' | 'Read' | 'TaskList', Hook>;

export interface RunByTool {
  run: StagedRun;
  /** What the model was shown for the call of each tool. */
  results: Record<keyof HooksByTool, { text: string; isError: boolean } | undefined>;
}

/** Calls each of the tools once, each with a hook of its own. */
export async function runByTool(stage: Stage, hooks: HooksByTool): Promise<RunByTool> {
  const file = stage.write('read-me.txt', 'read');
  const turns: Turn[] = [
    writes(stage, 'file.txt'),
    bash('echo ran'),
    calls('Read', { file_path: file }),
    calls('TaskList', {}),
    DONE,
  ];
  const PreToolUse = Object.entries(hooks).map(([matcher, hook]) => ({ matcher, hooks: [hook] }));
  const run = await stage.run({ turns, settings: { hooks: { PreToolUse } } });
  const seen = seenCalls(run);
  const of = (tool: string) => seen.find((call) => call.tool === tool)?.result;
  return {
    run,
    results: { Write: of('Write'), Bash: of('Bash'), Read: of('Read'), TaskList: of('TaskList') },
  };
}

/** Tools answer in their own words; these are the ones that say that they ran. */
export const ALL_RAN = {
  Write: { text: expect.stringContaining('created successfully'), isError: false },
  Bash: { text: expect.stringContaining('ran'), isError: false },
  Read: { text: expect.stringContaining('read'), isError: false },
  TaskList: { text: expect.stringContaining('No tasks found'), isError: false },
};
