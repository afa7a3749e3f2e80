import { isObject, listOf, textOf } from './json.ts';

/** A request to the Messages API in a form that is easy for a policy or a test to read. */
export interface Conversation {
  model: string;
  /** The tools that the model can call now. A deferred tool is included once ToolSearch has loaded it. */
  tools: readonly string[];
  /** The whole system text, wherever the client put it. */
  system: string;
  cwd: string | undefined;
  /** The latest text of the user, without reminders of the client. */
  prompt: string;
  /** Every call so far, oldest first, with its result. */
  calls: readonly Call[];
  callsSincePrompt: readonly Call[];
  /** True for a request for a title, a summary and the like, which is not part of the work. */
  isSideQuestion: boolean;
}

export interface Call {
  id: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  result?: { text: string; isError: boolean };
}

export function readConversation(body: unknown): Conversation {
  const request = isObject(body) ? body : {};
  const messages = listOf(request.messages).map(readMessage);
  const system = [textOf(request.system), ...textsBy('system', messages)].join('\n');
  const promptAt = messages.findLastIndex(isPrompt);
  const prompt = messages[promptAt]?.texts.map(withoutReminders).filter(Boolean).join('\n') ?? '';
  const tools = findCallable(listOf(request.tools), messages);
  return {
    model: typeof request.model === 'string' ? request.model : '',
    tools,
    system,
    cwd: findCwd(system),
    prompt,
    calls: readCalls(messages, 0),
    callsSincePrompt: readCalls(messages, promptAt + 1),
    isSideQuestion: tools.length === 0 || asksForSummary(messages),
  };
}

interface Message {
  role: unknown;
  blocks: readonly Record<string, unknown>[];
  texts: readonly string[];
}

function readMessage(input: unknown): Message {
  const { role, content } = isObject(input) ? input : {};
  // The client sends the same message as a list of blocks at first and as a plain string later.
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  return {
    role,
    blocks: blocks.filter(isObject),
    texts: blocks.filter((block) => isObject(block) && block.type === 'text').map(textOf),
  };
}

function textsBy(role: string, messages: readonly Message[]): string[] {
  return messages.filter((message) => message.role === role).flatMap((message) => message.texts);
}

/** Results of tools are also messages of the user; some contain a text of the client, too. */
function isPrompt(message: Message): boolean {
  return (
    message.role === 'user' &&
    message.blocks.every((block) => block.type !== 'tool_result') &&
    message.texts.some((text) => withoutReminders(text) !== '')
  );
}

function withoutReminders(text: string): string {
  return text.replace(/<system-reminder>.*?<\/system-reminder>/gs, '').trim();
}

function asksForSummary(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) => message.role === 'user');
  return last?.texts.some((text) => /create a detailed summary of/.test(text)) ?? false;
}

function findCallable(tools: readonly unknown[], messages: readonly Message[]): string[] {
  const loaded = new Set(
    messages
      .flatMap((message) => message.blocks)
      .filter((block) => block.type === 'tool_result')
      .flatMap((block) => listOf(block.content))
      .map((part) =>
        isObject(part) && part.type === 'tool_reference' ? part.tool_name : undefined,
      ),
  );
  return tools
    .filter(isObject)
    .filter((tool) => tool.defer_loading !== true || loaded.has(tool.name))
    .map((tool) => String(tool.name));
}

/** Version 2.1.325 says "Primary working directory", older clients say "Working directory". */
function findCwd(system: string): string | undefined {
  const told = [...system.matchAll(/^[^\n]*\bworking directory: *(\/[^\n]*?) *$/gim)].at(-1)?.[1];
  // After a change of the folder the client adds the earlier one: "(was /…)".
  return told?.replace(/ \(was \/.*\)$/, '');
}

function readCalls(messages: readonly Message[], from: number): Call[] {
  const blocks = messages.slice(from).flatMap((message) => message.blocks);
  const results = new Map(
    blocks
      .filter((block) => block.type === 'tool_result')
      .map((block) => [block.tool_use_id, block]),
  );
  return blocks
    .filter((block) => block.type === 'tool_use')
    .map((block) => {
      const call = {
        id: String(block.id),
        tool: String(block.name),
        input: isObject(block.input) ? block.input : {},
      };
      const result = results.get(block.id);
      if (!result) return call;
      return {
        ...call,
        result: { text: textOf(result.content), isError: result.is_error === true },
      };
    });
}
