import type { TreeNode } from '@saga-ai/types/screens/json/plan';
import type { Output } from '../output/output.ts';
import { formatProgress } from '../output/state.ts';
import type { Paint } from '../output/style.ts';
import { cleanLine, cut, measure } from '../output/text.ts';

/** Draws epics, stories and tasks as a tree. */
export function formatTree(
  tree: readonly TreeNode[],
  out: Pick<Output, 'paint' | 'width'>,
): string[] {
  return tree.flatMap((node) => formatNode(node, out.paint, out.width, '', ''));
}

function formatNode(
  node: TreeNode,
  paint: Paint,
  width: number,
  lead: string,
  below: string,
): string[] {
  const progress = node.progress ? ` ${formatProgress(node.progress)}` : '';
  const start = `${lead}${node.glyph} ${node.id}${progress}`;
  const title = cut(cleanLine(node.title), width - measure(start) - 2);
  const id = node.kind === 'epic' ? paint('strong', node.id) : node.id;
  return [
    `${lead}${paint(node.tone, node.glyph)} ${id}${progress}  ${paint('quiet', title)}`,
    ...node.children.flatMap((child, i) => {
      const last = i === node.children.length - 1;
      const branch = `${below}${last ? '└ ' : '├ '}`;
      return formatNode(child, paint, width, branch, `${below}${last ? '  ' : '│ '}`);
    }),
  ];
}
