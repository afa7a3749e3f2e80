import { orderTopologically } from '@saga-ai/types/plan/graph';
import type { Status } from '@saga-ai/types/plan/status';
import type { StoryView } from '@saga-ai/types/screens/overview';
import type { State } from '@saga-ai/types/screens/story-state';
import type { Output } from './output.ts';
import { type Cell, formatRows } from './rows.ts';
import { cleanLine } from './text.ts';

export interface DiagramNode {
  state: State;
  id: string;
  title: string;
  status: Status;
  /** Where a story or an epic is in its life. */
  life?: StoryView['state'];
  blockedBy: readonly string[];
}

export interface Diagram {
  nodes: DiagramNode[];
  /** The longest chain of nodes that are not completed; empty if there is no chain of two or more. */
  criticalPath: string[];
}

export function formatTextGraph({ nodes, criticalPath }: Diagram, out: Output): string[] {
  if (nodes.length === 0) return ['Nothing to draw.'];
  const { ordered, unordered } = orderTopologically(nodes);
  const critical = new Set(criticalPath);
  const rows = [...ordered, ...unordered].map((node): Cell[] => [
    { text: node.state.glyph, tone: node.state.tone },
    critical.has(node.id) ? { text: node.id, tone: 'strong' } : { text: node.id },
    { text: node.blockedBy.length > 0 ? `← ${node.blockedBy.join(', ')}` : '', flexible: true },
  ]);
  return [
    ...formatRows(rows, out),
    ...(criticalPath.length > 0 ? ['', `longest open chain: ${criticalPath.join(' → ')}`] : []),
  ];
}

/** Nodes get numbers as names, because an id such as `end` is a keyword of Mermaid. */
export function formatMermaid({ nodes }: Diagram): string[] {
  const names = new Map(nodes.map((node, i) => [node.id, `n${i}`]));
  const edges = edgesOf(nodes).map(([from, to]) => `  ${names.get(from)} --> ${names.get(to)}`);
  const classes = nodes.map((node) => `  class ${names.get(node.id)} ${classOf(node)}`);
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${names.get(node.id)}["${escapeMermaid(labelOf(node))}"]`),
    ...edges,
    ...Object.entries(COLOURS).map(([name, { mermaid }]) => `  classDef ${name} ${mermaid}`),
    ...classes,
  ];
}

export function formatDot({ nodes, criticalPath }: Diagram): string[] {
  const critical = new Set(criticalPath);
  const isCritical = ([from, to]: [string, string]) => critical.has(from) && critical.has(to);
  return [
    'digraph saga {',
    '  rankdir=LR;',
    '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
    ...nodes.map(
      (node) =>
        `  ${quote(node.id)} [label=${quote(labelOf(node))}, fillcolor=${COLOURS[classOf(node)].dot}];`,
    ),
    ...edgesOf(nodes).map(
      (edge) =>
        `  ${quote(edge[0])} -> ${quote(edge[1])}${isCritical(edge) ? ' [penwidth=2]' : ''};`,
    ),
    '}',
  ];
}

/** How nodes are painted. Only nodes that are done are green. */
const COLOURS = {
  done: { mermaid: 'fill:#dcfce7,stroke:#16a34a,color:#14532d', dot: 'palegreen' },
  running: { mermaid: 'fill:#dbeafe,stroke:#2563eb,color:#1e3a8a', dot: 'lightblue' },
  waiting: { mermaid: 'fill:#fef3c7,stroke:#d97706,color:#78350f', dot: 'lightyellow' },
  needs_you: { mermaid: 'fill:#fee2e2,stroke:#dc2626,color:#7f1d1d', dot: 'lightpink' },
  plain: { mermaid: 'fill:#f4f4f5,stroke:#71717a,color:#27272a', dot: 'white' },
} as const;

const classOf = ({ state }: DiagramNode): keyof typeof COLOURS =>
  state.tone === 'needs-you' ? 'needs_you' : state.tone;

function edgesOf(nodes: readonly DiagramNode[]): [string, string][] {
  const known = new Set(nodes.map((node) => node.id));
  return nodes.flatMap((node) =>
    node.blockedBy.filter((id) => known.has(id)).map((id): [string, string] => [id, node.id]),
  );
}

const labelOf = (node: DiagramNode) => `${node.state.glyph} ${node.id}: ${cleanLine(node.title)}`;
const quote = (text: string) => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
const escapeMermaid = (text: string) =>
  text.replace(/[&"<>#;`]/g, (char) => `#${char.codePointAt(0)};`);
