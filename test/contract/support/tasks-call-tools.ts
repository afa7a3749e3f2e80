import type { ToolCall } from '@saga-ai/model';
import type { ClientEvent } from '../../rig/client/client-run.ts';
import type { RunRequest, Stage, StagedRun } from '../../rig/client/stage.ts';

export interface ToolsCalled extends StagedRun {
  /** What the model was shown for each call, in order. */
  shown: string[];
  /** Which of them it was shown as an error. */
  failed: boolean[];
  /** What the stream says about each call beside the text. */
  results: ClientEvent[];
}

/** The model makes the calls one after the other, then ends. */
export async function callTools(
  stage: Stage,
  calls: readonly ToolCall[],
  more: Partial<RunRequest> = {},
): Promise<ToolsCalled> {
  const turns = [...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }];
  const run = await stage.run({ ...more, turns });
  const last = run.model.requests.findLast((request) => request.kind === 'turn');
  const made = last?.conversation.calls ?? [];
  return {
    ...run,
    shown: made.map(({ result }) => withoutReminders(result?.text ?? '(nothing)')),
    failed: made.map(({ result }) => result?.isError ?? true),
    results: run.events.filter((it) => it.type === 'user').map((it) => it.tool_use_result),
  };
}

/** Old clients put a reminder to use the Task tools into the result of another call. */
function withoutReminders(text: string): string {
  return text.replace(/\n*<system-reminder>.*?<\/system-reminder>/gs, '');
}

export const list: ToolCall = { tool: 'TaskList', input: {} };

export const get = (taskId: string): ToolCall => ({ tool: 'TaskGet', input: { taskId } });

export const update = (taskId: string, fields: object): ToolCall => ({
  tool: 'TaskUpdate',
  input: { taskId, ...fields },
});

export const create = (subject: string, fields: object = {}): ToolCall => ({
  tool: 'TaskCreate',
  input: { subject, description: `All of ${subject}.`, ...fields },
});

export const bash = (command: string): ToolCall => ({
  tool: 'Bash',
  input: { command, description: 'Run it' },
});

/** TaskList promises no order that a test could name. */
export const sorted = (text: string | undefined): string[] => (text ?? '').split('\n').toSorted();
