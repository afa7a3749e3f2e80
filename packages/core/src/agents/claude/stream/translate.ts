import type { EventFields } from '@saga-ai/types/run/event';
import type { Told } from '../../agent.ts';
import { describeCall } from './tool-call.ts';

/** The tools that every run needs. */
export const NEEDED_TOOLS = ['TaskList', 'TaskGet', 'TaskUpdate'];

/** The events that a JSON line can become. */
type Line = Exclude<Told, { type: 'run:noise' }>;

/** The client's JSON is not validated; fields with an unexpected type are left out. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Translates one line of the client's output into events. The first event carries the line verbatim;
 * an unknown line becomes `run:event`. The path of the working folder, if known, is removed from
 * summaries.
 */
export function translate(line: Fields, cwd?: string): readonly Told[] {
  const [first, ...more] = readLine(line, cwd);
  return [{ ...(first ?? { type: 'run:event' }), claude: line }, ...more];
}

function readLine(line: Fields, cwd: string | undefined): Line[] {
  switch (line.type) {
    case 'system':
      return readSystem(line);
    case 'assistant':
      return readMessage(line, cwd);
    case 'user':
      return readResults(line);
    case 'result':
      return [readOutcome(line)];
    case 'rate_limit_event':
      return [readRateLimit(line)];
    default:
      return [];
  }
}

function readSystem(fields: Fields): Line[] {
  const { subtype, tools, model, error, attempt, max_retries, retry_delay_ms } = fields;
  if (subtype === 'init') {
    const offered = listTexts(tools);
    const missing = NEEDED_TOOLS.filter((tool) => !offered.includes(tool));
    const named = typeof model === 'string' ? { model } : {};
    return [{ type: 'run:init', ...named, tools: offered, missing }];
  }
  if (subtype !== 'api_retry') return [];
  return [
    {
      type: 'run:retry',
      error: typeof error === 'string' ? error : 'error',
      isRefused: error === CREDENTIAL_REFUSED ? true : undefined,
      attempt: typeof attempt === 'number' ? attempt : undefined,
      most: typeof max_retries === 'number' ? max_retries : undefined,
      delayMs: typeof retry_delay_ms === 'number' ? retry_delay_ms : undefined,
    },
  ];
}

/** The client's name for the error that the provider refused the key. */
const CREDENTIAL_REFUSED = 'authentication_failed';

function readMessage({ message, parent_tool_use_id }: Fields, cwd: string | undefined): Line[] {
  const { content } = toFields(message);
  const nested = typeof parent_tool_use_id === 'string' ? { isNested: true } : {};
  if (typeof content === 'string') return [{ type: 'run:text', text: content, ...nested }];
  return listFields(content).flatMap((block): Line[] => {
    const { type, text, thinking, id, name, input } = block;
    if (type === 'text' && typeof text === 'string') return [{ type: 'run:text', text, ...nested }];
    if (type === 'thinking' && typeof thinking === 'string' && thinking !== '') {
      return [{ type: 'run:text', text: thinking, isThought: true, ...nested }];
    }
    if (type !== 'tool_use') return [];
    const tool = String(name ?? '');
    return [
      {
        type: 'run:tool',
        id: String(id ?? ''),
        name: tool,
        ...describeCall(tool, toFields(input), cwd),
        ...nested,
      },
    ];
  });
}

function readResults({ message, tool_use_result, isReplay, uuid }: Fields): Line[] {
  if (isReplay === true) return [{ type: 'run:heard', id: typeof uuid === 'string' ? uuid : '' }];
  const patch = readPatch(tool_use_result);
  const change = readStatusChange(tool_use_result);
  return listFields(toFields(message).content).flatMap((block, index): Line[] => {
    if (block.type !== 'tool_result') return [];
    const isError = block.is_error === true;
    const text = readText(block.content);
    const isDenied = isError && DENIED.test(text);
    return [
      {
        type: 'run:result',
        id: String(block.tool_use_id ?? ''),
        text: isDenied ? text.replace(ADVICE, '') : text,
        isError: isError || undefined,
        isDenied: isDenied || undefined,
        patch: patch.length > 0 ? patch : undefined,
        ...(index === 0 ? change : {}),
      },
    ];
  });
}

/** Matches the instructions to the model that the client appends after this word. */
const ADVICE = / IMPORTANT: .*$/s;
/** How the client's message starts if its own permission rules deny a call. */
const DENIED = /^Permission\b/;

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listFields(content)
    .map(({ type, text }) => (typeof text === 'string' ? text : `[${type}]`))
    .join('\n');
}

function readPatch(result: unknown) {
  return listFields(toFields(result).structuredPatch).flatMap(({ oldStart, newStart, lines }) => {
    if (typeof oldStart !== 'number' || typeof newStart !== 'number') return [];
    return Array.isArray(lines) ? [{ oldStart, newStart, lines: listTexts(lines) }] : [];
  });
}

function readStatusChange(result: unknown): Pick<EventFields<'run:result'>, 'status'> {
  const { taskId, statusChange } = toFields(result);
  const { to } = toFields(statusChange);
  if (typeof taskId !== 'string' || typeof to !== 'string') return {};
  return { status: { task: taskId, to } };
}

function readOutcome({ result, errors, is_error, total_cost_usd }: Fields): Line {
  return {
    type: 'run:outcome',
    text: typeof result === 'string' ? result : listTexts(errors).join(' · '),
    isError: is_error === true,
    costUsd: typeof total_cost_usd === 'number' ? total_cost_usd : undefined,
  };
}

function readRateLimit({ rate_limit_info }: Fields): Line {
  const { status, resetsAt } = toFields(rate_limit_info);
  return {
    type: 'run:rate-limit',
    isReached: status === 'rejected',
    resetsAt: typeof resetsAt === 'number' ? resetsAt * 1000 : undefined,
  };
}

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

const listFields = (value: unknown) => (Array.isArray(value) ? value.map(toFields) : []);
const listTexts = (value: unknown) =>
  Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];
