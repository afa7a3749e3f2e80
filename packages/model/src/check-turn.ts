import { FAULT_KINDS, type Fault, spoilsReply } from './fault.ts';
import { isObject } from './json.ts';
import {
  arrayOf,
  type Complaint,
  isAmount,
  isAnyObject,
  isText,
  objectOf,
  oneOf,
  optional,
  test,
} from './shape.ts';

/** Everything that is wrong with one turn of a script. */
export function checkTurn(input: unknown): Complaint[] {
  const complaints = turnShape(input);
  if (complaints.length > 0 || !isObject(input)) return complaints;
  return [...checkContent(input)];
}

function* checkContent(turn: Readonly<Record<string, unknown>>): Generator<Complaint> {
  const hasContent = turn.text !== undefined || turn.calls !== undefined;
  const fault = turn.fault as Fault | undefined;
  if (!hasContent && !fault) yield { field: '', reason: 'needs "text", "calls" or "fault"' };
  if (hasContent && fault && !spoilsReply(fault)) {
    yield { field: 'fault', reason: 'leaves no room for "text" or "calls"' };
  }
}

const isStatus = test(
  (value) => Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599,
  'must be a status from 400 to 599',
);
const isTimes = test(
  (value) => value === 'always' || (Number.isInteger(value) && Number(value) >= 1),
  'must be a whole number from 1, or "always"',
);
const isHeaders = test(
  (value) => isObject(value) && Object.values(value).every((it) => typeof it === 'string'),
  'must be an object of texts',
);

const faultShapes = {
  status: objectOf({
    status: isStatus,
    message: optional(isText),
    retryAfter: optional(isAmount),
    headers: optional(isHeaders),
    times: optional(isTimes),
  }),
  kind: objectOf({ kind: oneOf(FAULT_KINDS), times: optional(isTimes) }),
  'refused-connection': objectOf({ kind: isText, forMs: optional(isAmount) }),
  'slow-stream': objectOf({
    kind: isText,
    pauseMs: optional(isAmount),
    times: optional(isTimes),
  }),
};

function faultShape(value: unknown): Complaint[] {
  if (!isObject(value)) return isAnyObject(value);
  if ('status' in value) return faultShapes.status(value);
  if (value.kind === 'refused-connection' || value.kind === 'slow-stream') {
    return faultShapes[value.kind](value);
  }
  if (value.kind === undefined) return [{ field: '', reason: 'needs "status" or "kind"' }];
  return faultShapes.kind(value);
}

const turnShape = objectOf({
  text: optional(isText),
  calls: optional(arrayOf(objectOf({ tool: isText, input: isAnyObject }))),
  usage: optional(
    objectOf({
      inputTokens: optional(isAmount),
      outputTokens: optional(isAmount),
      cacheReadTokens: optional(isAmount),
      cacheWriteTokens: optional(isAmount),
      costUsd: optional(isAmount),
    }),
  ),
  fault: optional(faultShape),
});
