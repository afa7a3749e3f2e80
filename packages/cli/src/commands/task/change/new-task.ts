import type { NewTask } from '@saga-ai/core/agents/claude/tasklist/native-edit';
import { SagaError } from '@saga-ai/core/errors';
import type { ArgumentSpec, Invocation, OptionSpec } from '../../../command.ts';
import { readStandardInput } from '../../../standard-input.ts';
import { TASK_OPTIONS } from '../open-tasks.ts';

export const CREATE_ARGUMENTS: readonly ArgumentSpec[] = [
  { name: 'subject', help: 'what to do, in one line', required: true },
];

export const META_OPTION = {
  meta: { type: 'texts', value: 'K=V', help: 'metadata; V may be JSON, K= removes the key' },
} as const satisfies Record<string, OptionSpec>;

export const CREATE_OPTIONS = {
  ...TASK_OPTIONS,
  body: { type: 'text', help: 'the description; - for standard input' },
  'blocked-by': { type: 'texts', value: 'ID', help: 'a task that must be completed first' },
  label: { type: 'texts', value: 'LABEL', help: 'a label' },
  ...META_OPTION,
} as const satisfies Record<string, OptionSpec>;

export function readNewTask(invocation: Invocation): NewTask {
  const { args, texts } = invocation;
  const subject = (args[0] ?? '').trim();
  if (subject === '')
    throw new SagaError('usage', 'A task needs a subject.', 'Give one line that says what to do.');
  const labels = texts('label');
  return {
    subject,
    description: readBody(invocation) ?? subject,
    blockedBy: texts('blocked-by'),
    metadata: { ...readMeta(invocation), ...(labels.length > 0 ? { labels } : {}) },
  };
}

export function readBody({ text }: Invocation): string | undefined {
  return text('body') === '-' ? readStandardInput() : text('body');
}

/** Reads `k=v` pairs. A value that is JSON is parsed; an empty value removes the key. */
export function readMeta({ texts }: Invocation): Record<string, unknown> {
  return Object.fromEntries(
    texts('meta').map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0) {
        throw new SagaError(
          'usage',
          `--meta takes k=v (found ${JSON.stringify(pair)}).`,
          'Such as --meta area=backend.',
        );
      }
      return [pair.slice(0, at), parseValue(pair.slice(at + 1))];
    }),
  );
}

function parseValue(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The value is not JSON; most values are plain words.
    return text;
  }
}
