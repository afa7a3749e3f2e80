import { formatField } from '@saga-ai/types/words/describe-issue';
import { findNearest } from '@saga-ai/types/words/nearest';
import * as z from 'zod/mini';
import { FAULT_KINDS, type Fault, spoilsReply } from './fault.ts';
import { isObject } from './json.ts';
import type { Turn } from './turn.ts';

/** For an unknown key, the message lists the known keys; `describeIssue` turns it into words. */
const strict = <T extends z.core.$ZodShape>(shape: T) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : 'must be an object',
  });
const text = z.string('must be a text');
const amount = z
  .number('must be a number, not below 0')
  .check(z.gte(0, 'must be a number, not below 0'));
const STATUS_RULE = 'must be a status from 400 to 599';
const status = z.int(STATUS_RULE).check(z.gte(400, STATUS_RULE), z.lte(599, STATUS_RULE));
const TIMES_RULE = 'must be a whole number from 1, or "always"';
const times = z.union(
  [z.literal('always'), z.int(TIMES_RULE).check(z.gte(1, TIMES_RULE))],
  TIMES_RULE,
);
const repeated = { times: z.exactOptional(times) };

const StatusFault = strict({
  status,
  message: z.exactOptional(text),
  retryAfter: z.exactOptional(amount),
  headers: z.exactOptional(z.record(z.string(), text, 'must be an object of texts')),
  ...repeated,
});
const KindFault = z.discriminatedUnion('kind', [
  strict({ kind: z.literal('refused-connection'), forMs: z.exactOptional(amount) }),
  strict({ kind: z.literal('cut-stream'), ...repeated }),
  strict({
    kind: z.literal('slow-stream'),
    pauseMs: z.exactOptional(amount),
    pings: z.exactOptional(amount),
    ...repeated,
  }),
  strict({ kind: z.literal('hang'), ...repeated }),
  strict({ kind: z.literal('refusal'), ...repeated }),
  strict({ kind: z.literal('max-tokens'), ...repeated }),
]);

const TurnSchema = strict({
  text: z.exactOptional(text),
  calls: z.exactOptional(
    z.array(
      strict({ tool: text, input: z.record(z.string(), z.unknown(), 'must be an object') }),
      'must be a list',
    ),
  ),
  usage: z.exactOptional(
    strict({
      inputTokens: z.exactOptional(amount),
      outputTokens: z.exactOptional(amount),
      cacheReadTokens: z.exactOptional(amount),
      cacheWriteTokens: z.exactOptional(amount),
      costUsd: z.exactOptional(amount),
    }),
  ),
  fault: z.exactOptional(z.union([StatusFault, KindFault])),
}).check(({ value, issues }) => {
  const hasContent = value.text !== undefined || value.calls !== undefined;
  const fault: Fault | undefined = value.fault;
  if (!hasContent && !fault) {
    const message = 'needs "text", "calls" or "fault"';
    issues.push({ code: 'custom', input: value, path: [], message });
  } else if (hasContent && fault && !spoilsReply(fault)) {
    const message = 'leaves no room for "text" or "calls"';
    issues.push({ code: 'custom', input: value, path: ['fault'], message });
  }
}) satisfies z.ZodMiniType<Turn>;

/** Says what is wrong with a value, and in which field. `field` is empty for the value itself. */
export interface Complaint {
  field: string;
  reason: string;
}

/** Returns everything that is wrong with one turn of a script. */
export function checkTurn(input: unknown): Complaint[] {
  const { error } = TurnSchema.safeParse(input);
  return (error?.issues ?? []).flatMap((issue) => describeIssue(issue, input, []));
}

function describeIssue(
  issue: z.core.$ZodIssue,
  input: unknown,
  above: readonly PropertyKey[],
): Complaint[] {
  const path = [...above, ...issue.path];
  const field = formatField(path);
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ');
    return issue.keys.map((key) => {
      return { field: formatField([...path, key]), reason: describeUnknown(key, known) };
    });
  }
  const value = valueAt(input, path);
  if (issue.code === 'invalid_union' && path.at(-1) === 'fault') {
    return describeFault(issue.errors, input, path);
  }
  if (issue.code === 'custom') return [{ field, reason: issue.message }];
  if (value === undefined) return [{ field, reason: 'is missing' }];
  return [{ field, reason: `${issue.message} (found ${show(value)})` }];
}

/** The keys of a fault decide its kind. Issues about the other kind are left out. */
function describeFault(
  [ofStatus = [], ofKind = []]: readonly z.core.$ZodIssue[][],
  input: unknown,
  path: readonly PropertyKey[],
): Complaint[] {
  const fault = valueAt(input, path);
  const field = formatField(path);
  if (!isObject(fault)) return [{ field, reason: `must be an object (found ${show(fault)})` }];
  if ('status' in fault) return ofStatus.flatMap((issue) => describeIssue(issue, input, path));
  if (fault.kind === undefined) return [{ field, reason: 'needs "status" or "kind"' }];
  if ((FAULT_KINDS as readonly unknown[]).includes(fault.kind)) {
    return ofKind.flatMap((issue) => describeIssue(issue, input, path));
  }
  const reason = `must be one of ${FAULT_KINDS.join(', ')} (found ${show(fault.kind)})`;
  return [{ field: `${field}.kind`, reason }];
}

function describeUnknown(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known);
  return `is not known${nearest ? `; did you mean "${nearest}"?` : ` (known: ${known.join(', ')})`}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((it, key) => (it as Record<PropertyKey, unknown>)?.[key], input);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
