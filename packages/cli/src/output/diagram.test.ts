import { STATES } from '@saga-ai/types/screens/story-state';
import { expect, test } from 'vitest';
import {
  type Diagram,
  type DiagramNode,
  formatDot,
  formatMermaid,
  formatTextGraph,
} from './diagram.ts';
import { createOutput } from './output.ts';

const out = { ...createOutput(false), width: 80, paint: (_: string, text: string) => text };
const node = (id: string, more: Partial<DiagramNode> = {}): DiagramNode => ({
  ...{ id, state: STATES.pending, title: id.toUpperCase(), status: 'pending', blockedBy: [] },
  ...more,
});
const DIAGRAM: Diagram = {
  nodes: [
    node('page', { blockedBy: ['end', 'elsewhere'] }),
    node('end', { blockedBy: ['model'] }),
    node('model', { status: 'completed', state: STATES.done, title: 'A "model" \\ <b>&#1;</b>\n' }),
  ],
  criticalPath: ['end', 'page'],
};

test('as text, a node stands below what it waits for, and the longest chain is named', () => {
  expect(formatTextGraph(DIAGRAM, out).map((line) => line.trimEnd())).toEqual([
    '✓ model',
    '○ end    ← model',
    '○ page   ← end, elsewhere',
    '',
    'longest open chain: end → page',
  ]);
  expect(formatTextGraph({ nodes: [], criticalPath: [] }, out)).toEqual(['Nothing to draw.']);
});

test('nodes in a circle are drawn too', () => {
  const nodes = [node('a', { blockedBy: ['b'] }), node('b', { blockedBy: ['a'] }), node('c')];
  const lines = formatTextGraph({ nodes, criticalPath: [] }, out).map((line) => line.trimEnd());
  expect(lines).toEqual(['○ c', '○ a  ← b', '○ b  ← a']);
});

test('for Mermaid, no id is a keyword and no title ends its label', () => {
  const lines = formatMermaid(DIAGRAM);
  expect(lines.slice(0, 6)).toEqual([
    'flowchart LR',
    '  n0["○ page: PAGE"]',
    '  n1["○ end: END"]',
    '  n2["✓ model: A #34;model#34; \\ #60;b#62;#38;#35;1#59;#60;/b#62;"]',
    '  n1 --> n0',
    '  n2 --> n1',
  ]);
  expect(lines.at(-1)).toBe('  class n2 completed');
});

test('for dot, quotes and backslashes are escaped, and the longest chain is drawn bold', () => {
  const lines = formatDot(DIAGRAM);
  expect(lines).toContain(
    '  "model" [label="✓ model: A \\"model\\" \\\\ <b>&#1;</b>", fillcolor=palegreen];',
  );
  expect(lines.filter((line) => line.includes('->'))).toEqual([
    '  "end" -> "page" [penwidth=2];',
    '  "model" -> "end";',
  ]);
});
