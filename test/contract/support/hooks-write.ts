import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, ToolCall, Turn } from '@saga-ai/model';
import type { RunRequest, Stage, StagedRun } from '../../rig/client/stage.ts';

export const DONE: Turn = { text: 'Done.' };

export function calls(tool: string, input: ToolCall['input']): Turn {
  return { calls: [{ tool, input }] };
}

export function bash(line: string): Turn {
  return calls('Bash', { command: line });
}

export function writes(stage: Stage, path: string): Turn {
  return calls('Write', { file_path: join(stage.repo, path), content: 'written' });
}

/** What came back for each call, as the model was shown it in the end. */
export function seenCalls({ model }: StagedRun): readonly Call[] {
  const turns = model.requests.filter((request) => request.kind === 'turn');
  return turns.at(-1)?.conversation.calls ?? [];
}

/** What came back for the first call. */
export function seenResult(run: StagedRun): Call['result'] {
  return seenCalls(run)[0]?.result;
}

export interface WriteRun extends StagedRun {
  /** Whether the tool has run: the file is there. */
  written: boolean;
}

/** The smallest run that a guard can decide: the model writes one file. */
export async function runWrite(
  stage: Stage,
  request: Omit<RunRequest, 'turns'>,
): Promise<WriteRun> {
  const run = await stage.run({ ...request, turns: [writes(stage, 'file.txt'), DONE] });
  return { ...run, written: isWritten(stage, 'file.txt') };
}

export function isWritten(stage: Stage, path: string): boolean {
  const file = join(stage.repo, path);
  return existsSync(file) && readFileSync(file, 'utf8') === 'written';
}
