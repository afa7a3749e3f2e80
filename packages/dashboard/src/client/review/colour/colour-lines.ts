import type { DiffHunk } from '@saga-ai/types/screens/review/review';
import { createLowlight } from 'lowlight';
import { loadGrammar } from './languages.ts';

/** A piece of a line, and what it is. */
export interface Token {
  text: string;
  look?: TokenLook;
}
export type TokenLook = 'keyword' | 'string' | 'comment' | 'number' | 'name';

const lowlight = createLowlight();

/** Colours the lines of one part. Each side is read as a whole, so that comments over several lines are known. */
export async function colourHunk(language: string, { lines }: DiffHunk): Promise<Token[][]> {
  if (!lowlight.registered(language)) {
    const grammar = await loadGrammar(language);
    if (grammar) lowlight.register(language, grammar.default);
  }
  const coloured: Token[][] = lines.map((line) => [{ text: line.slice(1) }]);
  // The new side last: lines that did not change are coloured as they are now.
  for (const sign of ['-', '+']) {
    const places = [...lines.keys()].filter((at) => [sign, ' '].includes(lines[at]?.[0] ?? ''));
    const text = places.map((at) => lines[at]?.slice(1)).join('\n');
    for (const [index, tokens] of splitLines(lowlight.highlight(language, text)).entries()) {
      const at = places[index];
      if (at !== undefined) coloured[at] = tokens;
    }
  }
  return coloured;
}

interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly unknown[];
}

/** The library gives a tree of texts, never HTML. */
function splitLines(root: unknown): Token[][] {
  const lines: Token[][] = [[]];
  const visit = (node: Node, look: TokenLook | undefined) => {
    if (node.type === 'text') {
      for (const [index, text] of (node.value ?? '').split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push(look ? { text, look } : { text });
      }
      return;
    }
    const own = lookOf(node.properties?.className) ?? look;
    for (const child of node.children ?? []) visit(child as Node, own);
  };
  visit(root as Node, undefined);
  return lines;
}

const LOOKS: Record<string, TokenLook> = {
  keyword: 'keyword',
  built_in: 'name',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  meta: 'comment',
  title: 'name',
  type: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  name: 'keyword',
  'selector-tag': 'keyword',
  'selector-class': 'name',
  section: 'keyword',
  symbol: 'number',
  code: 'string',
  link: 'string',
};

function lookOf(classNames: unknown): TokenLook | undefined {
  const [first] = Array.isArray(classNames) ? classNames : [];
  return typeof first === 'string' ? LOOKS[first.replace(/^hljs-/, '')] : undefined;
}
