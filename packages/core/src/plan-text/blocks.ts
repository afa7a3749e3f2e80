import MarkdownIt from 'markdown-it';

/** A block of a Markdown text, such as a paragraph, with its lines: from `start` up to, not including, `end`. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'list' | 'fence' | 'comment' | 'other';
  start: number;
  end: number;
  /** The level of a heading, from 1 to 6. Other blocks have 0. */
  level: number;
  /** The text of a heading, or the word behind the marks of a fence. */
  text: string;
  /** The items of a list. */
  items: readonly ListItem[];
  isNumbered: boolean;
}

export interface ListItem {
  start: number;
  end: number;
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Parses only blocks. The text inside a paragraph stays as it was written. */
const parser = new MarkdownIt('commonmark');

/** Removes a byte order mark, and makes every line end with a line feed. */
export function normalizeText(text: string): string {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return plain.includes('\r') ? plain.replace(/\r\n?/g, '\n') : plain;
}

/** Parses the outermost blocks of a text whose lines end with line feeds. */
export function parseBlocks(text: string): Block[] {
  const tokens: Token[] = [];
  // The parser replaces NUL characters, and an editor may leave some in a text.
  parser.block.parse(text.replaceAll('\u0000', '\ufffd'), parser, {}, tokens);
  const blocks: Block[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.level === 1 && token.type === 'list_item_open' && token.map) {
      const items = blocks.at(-1)?.items as ListItem[] | undefined;
      items?.push({ start: token.map[0], end: token.map[1] });
    }
    if (token.level !== 0 || token.nesting === -1 || !token.map) continue;
    const [start, end] = token.map;
    const kind = kindOf(token);
    const isHeading = kind === 'heading';
    blocks.push({
      kind,
      start,
      end,
      level: isHeading ? Number(token.tag.slice(1)) : 0,
      text: isHeading ? (tokens[at + 1]?.content ?? '') : kind === 'fence' ? token.info.trim() : '',
      items: [],
      isNumbered: token.type === 'ordered_list_open',
    });
  }
  return blocks;
}

function kindOf(token: Token): Block['kind'] {
  switch (token.type) {
    case 'heading_open':
      // A line of dashes below a text also makes a heading, but authors rarely mean that.
      return token.markup.startsWith('#') ? 'heading' : 'other';
    case 'paragraph_open':
      return 'paragraph';
    case 'bullet_list_open':
    case 'ordered_list_open':
      return 'list';
    case 'fence':
      return 'fence';
    case 'html_block': {
      const text = token.content.trim();
      return text.startsWith('<!--') && text.endsWith('-->') ? 'comment' : 'other';
    }
    default:
      return 'other';
  }
}

const MARKER = /^[ \t]*(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;

/** Returns the lines of a list item without its marker and its indent. */
export function unwrapItem(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const marker = MARKER.exec(first)?.[0] ?? '';
  const spaces = /^[ \t]*/.exec(first.slice(marker.length))?.[0] ?? '';
  // Five or more spaces mean one space and then indented code.
  const isCode = columnsOf(spaces) > 4;
  const width = columnsOf(marker) + (isCode || spaces === '' ? 1 : columnsOf(spaces));
  return [first.slice(marker.length).trimStart(), ...rest.map((line) => outdent(line, width))];
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += char === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

/** Removes at most `width` columns of space in front of a line. */
function outdent(line: string, width: number): string {
  let columns = 0;
  let at = 0;
  while (columns < width && (line[at] === ' ' || line[at] === '\t')) {
    columns += line[at] === '\t' ? 4 - (columns % 4) : 1;
    at++;
  }
  return ' '.repeat(Math.max(0, columns - width)) + line.slice(at);
}
