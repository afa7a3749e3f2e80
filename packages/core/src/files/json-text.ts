/**
 * Where and why a text is not JSON. This file reads and edits JSON as text, so that all other text stays as its author
 * wrote it.
 */

export interface JsonFault {
  line: number;
  reason: string;
}

/** Returns where the text stops being JSON, or undefined if it is JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const fault = new Scanner(text).findFault();
  if (!fault) return undefined;
  const line = text.slice(0, fault.at).split('\n').length;
  return { line, reason: fault.reason };
}

export type Changes = Readonly<Record<string, unknown>>;

/**
 * Sets top-level fields of a JSON object in its text. Key order, spacing and all other values stay
 * exactly the same. New fields go to the end; `undefined` removes a field.
 */
export function editJson(text: string, changes: Changes): string {
  let edited = text;
  for (const [key, value] of Object.entries(changes)) {
    const members = new Scanner(edited).members();
    const member = members.findLast((it) => it.key === key);
    if (value === undefined) {
      if (member) edited = removeMember(edited, members, member);
    } else if (member) {
      const current = edited.slice(member.valueStart, member.end);
      if (sameJson(JSON.parse(current), value)) continue;
      edited = splice(edited, member.valueStart, member.end, render(edited, value, members));
    } else {
      edited = addMember(edited, members, key, value);
    }
  }
  return edited.endsWith('\n') ? edited : `${edited}\n`;
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

interface Member {
  key: string;
  start: number;
  valueStart: number;
  end: number;
}

function removeMember(text: string, members: Member[], member: Member): string {
  const index = members.indexOf(member);
  const next = members[index + 1];
  if (next) return splice(text, member.start, next.start, '');
  const previous = members[index - 1];
  const open = text.indexOf('{') + 1;
  if (!previous) return splice(text, open, text.lastIndexOf('}'), '');
  return splice(text, previous.end, member.end, '');
}

function addMember(text: string, members: Member[], key: string, value: unknown): string {
  const last = members.at(-1);
  const field = `${JSON.stringify(key)}: ${render(text, value, members)}`;
  if (last) return splice(text, last.end, last.end, `,${separator(text, members)}${field}`);
  const eol = eolOf(text);
  return splice(text, text.indexOf('{') + 1, text.lastIndexOf('}'), `${eol}  ${field}${eol}`);
}

/** The text between two members: a line break and the indent, or a space in one-line files. */
function separator(text: string, members: Member[]): string {
  const indent = indentOf(text, members);
  return indent === undefined ? ' ' : `${eolOf(text)}${indent}`;
}

function render(text: string, value: unknown, members: Member[]): string {
  const indent = members.length === 0 ? '  ' : indentOf(text, members);
  if (indent === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, 2)
    .split('\n')
    .join(`${eolOf(text)}${indent}`);
}

function indentOf(text: string, members: Member[]): string | undefined {
  const first = members[0];
  if (!first) return undefined;
  const lead = text.slice(text.indexOf('{') + 1, first.start);
  return lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : undefined;
}

const eolOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');
const splice = (text: string, from: number, to: number, insert: string) =>
  text.slice(0, from) + insert + text.slice(to);
const sameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

class Fault {
  readonly at: number;
  readonly reason: string;
  constructor(at: number, reason: string) {
    this.at = at;
    this.reason = reason;
  }
}

/** A strict JSON parser that knows positions. `JSON.parse` does not report them in all its errors. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  findFault(): Fault | undefined {
    try {
      this.#value();
      this.#space();
      if (this.#at < this.#text.length) throw this.#unexpected();
      return undefined;
    } catch (fault) {
      if (fault instanceof Fault) return fault;
      if (fault instanceof RangeError) return new Fault(this.#at, 'nested too deeply');
      throw fault;
    }
  }

  /** Returns the fields of the top-level object. The text must be valid JSON. */
  members(): Member[] {
    const members: Member[] = [];
    this.#space();
    this.#object((member) => members.push(member));
    return members;
  }

  #value(): void {
    this.#space();
    const char = this.#text[this.#at];
    if (char === '{') this.#object(() => {});
    else if (char === '[') this.#list(']', () => this.#value());
    else if (char === '"') this.#string();
    else this.#literal();
  }

  #object(found: (member: Member) => void): void {
    this.#list('}', () => {
      const start = this.#at;
      if (this.#text[this.#at] !== '"') throw this.#unexpected();
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') throw this.#unexpected();
      this.#at++;
      this.#space();
      const valueStart = this.#at;
      this.#value();
      found({ key, start, valueStart, end: this.#at });
    });
  }

  #list(close: string, item: () => void): void {
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === close) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#space();
      item();
      this.#space();
      const char = this.#text[this.#at];
      if (char !== ',' && char !== close) throw this.#unexpected();
      this.#at++;
      if (char === close) return;
    }
  }

  #string(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
    const match = this.#match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (match !== undefined) return JSON.parse(match) as string;
    const end = /["\n]/g;
    end.lastIndex = this.#at + 1;
    throw end.exec(this.#text)?.[0] === '"'
      ? new Fault(this.#at, 'a string with an invalid character or escape')
      : new Fault(this.#at, 'a string is not closed');
  }

  #literal(): void {
    const match = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    if (match === undefined) throw this.#unexpected();
  }

  #space(): void {
    this.#match(/[ \t\n\r]*/y);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }

  #unexpected(): Fault {
    const char = this.#text[this.#at];
    if (char === undefined) return new Fault(this.#at, 'unexpected end');
    return new Fault(this.#at, `unexpected ${JSON.stringify(char)}`);
  }
}
