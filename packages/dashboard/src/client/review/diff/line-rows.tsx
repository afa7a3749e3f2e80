import type { DiffHunk } from '@saga-ai/types/screens/review/review';
import { memo } from 'react';
import type { Token } from '../colour/colour-lines.ts';
import { useColours } from '../colour/use-colours.ts';
import { type Cell, type DiffRow, placeOf } from './diff-rows.ts';

interface LineRowsProps {
  path: string;
  file: number;
  hunk: DiffHunk;
  rows: readonly DiffRow[];
  view: 'unified' | 'split';
  /** The line at the cursor, such as `new 12`. */
  cursor: string | undefined;
}

/** Lines of a diff. One listener of the whole review hears clicks on their numbers. */
export const LineRows = memo(function LineRows(props: LineRowsProps) {
  const { path, file, hunk, rows, view, cursor } = props;
  const colours = useColours(path, hunk);
  return (
    <div className="diff-rows" data-view={view}>
      {rows.map((row) => {
        if (row.remark !== undefined) {
          return (
            <div key={row.key} className="diff-aside">
              {row.remark}
            </div>
          );
        }
        const place = placeOf(row);
        const name = place ? `${place.side} ${place.line}` : '';
        const isHere = cursor !== undefined && cursor === name;
        return (
          <div
            key={row.key}
            className="diff-row"
            data-file={file}
            data-place={name}
            data-cursor={isHere || undefined}
          >
            {view === 'split' ? (
              <>
                <Side cell={row.left} side="old" colours={colours} />
                <Side cell={row.right} side="new" colours={colours} />
              </>
            ) : (
              <Unified row={row} colours={colours} />
            )}
          </div>
        );
      })}
    </div>
  );
});

type Colours = Token[][] | undefined;

function Unified({ row: { left, right }, colours }: { row: DiffRow; colours: Colours }) {
  const cell = right ?? left;
  if (!cell) return null;
  return (
    <>
      <LineNumber cell={left} />
      <LineNumber cell={right} />
      <Code cell={cell} colours={colours} />
    </>
  );
}

function Side({
  cell,
  side,
  colours,
}: {
  cell: Cell | undefined;
  side: Cell['side'];
  colours: Colours;
}) {
  if (!cell) return <div className="diff-gap" data-side={side} />;
  return (
    <>
      <LineNumber cell={cell} />
      <Code cell={cell} colours={colours} />
    </>
  );
}

/** Numbers are attributes, not text, so that they are not copied. */
function LineNumber({ cell }: { cell: Cell | undefined }) {
  return (
    <span
      className="diff-number"
      data-sign={cell?.sign}
      data-n={cell?.line}
      data-remark={cell ? `${cell.side} ${cell.line}` : undefined}
    />
  );
}

const SIGNS = { '+': 'added: ', '-': 'removed: ', ' ': '' } as const;

function Code({ cell, colours }: { cell: Cell; colours: Colours }) {
  const tokens = colours?.[cell.index];
  return (
    <span className="diff-code" data-sign={cell.sign}>
      {cell.sign === ' ' ? null : <span className="sr-only">{SIGNS[cell.sign]}</span>}
      {tokens
        ? tokens.map(({ text, look }, index) =>
            look ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a line do not change
              <span key={index} className={`code-${look}`}>
                {text}
              </span>
            ) : (
              text
            ),
          )
        : cell.text}
    </span>
  );
}
