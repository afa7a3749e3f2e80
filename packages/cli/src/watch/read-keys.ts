/** A key that was pressed, or text that was pasted. */
export type Key =
  | { name: 'up' | 'down' | 'page-up' | 'page-down' | 'first' | 'last' }
  | { name: 'enter' | 'escape' | 'backspace' | 'interrupt' | 'suspend' | 'redraw' | 'clear' }
  | { name: 'text'; text: string };

const NAMED: Readonly<Record<string, Exclude<Key['name'], 'text'>>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'first',
  '\u001b[1~': 'first',
  '\u001b[F': 'last',
  '\u001b[4~': 'last',
  '\r': 'enter',
  '\n': 'enter',
  '\u001b': 'escape',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u0004': 'interrupt',
  '\u001a': 'suspend',
  '\u000c': 'redraw',
  '\u0015': 'clear',
};

const PASTE = '\u001b\\[200~([\\s\\S]*?)(?:\u001b\\[201~|$)';
const SEQUENCE = '\u001b\\[[0-9;?]*[A-Za-z~]|\u001bO[A-Z]';
const PARTS = new RegExp(`${PASTE}|${SEQUENCE}|[\\s\\S]`, 'gu');

/** Reads what a terminal in raw mode sends. Keys that mean nothing here are left out. */
export function readKeys(input: string): Key[] {
  const keys: Key[] = [];
  for (const { 0: part, 1: pasted } of input.matchAll(PARTS)) {
    if (part.startsWith('\u001b[200~')) {
      // A line break in a pasted text must not send it.
      addText(keys, (pasted ?? '').replace(/\s+/g, ' '));
      continue;
    }
    const name = NAMED[part];
    if (name) keys.push({ name });
    else if (part >= ' ' && !part.startsWith('\u001b')) addText(keys, part);
  }
  return keys;
}

function addText(keys: Key[], text: string): void {
  if (text !== '') keys.push({ name: 'text', text });
}
