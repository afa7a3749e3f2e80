import { afterAll, expect, test } from 'vitest';
import { type Fault, type Played, promiseOf, type Row } from './fault.ts';

/** Ends what hangs; a slow and busy machine must stay far below it. */
const LIMIT = { timeout: 900_000 };

/** A test for each fault, two at a time. At the end all rows are printed as a table. */
export function prove(faults: readonly Fault[], play: (fault: Fault) => Promise<Played>): void {
  const rows: (readonly [string, Row])[] = [];
  const named = faults.map((fault) => [fault.id, fault.fault, fault] as const);
  test.concurrent.each(named)('%s: %s', LIMIT, async (id, _, fault) => {
    const { row, printed } = await play(fault);
    rows.push([id, row]);
    expect(row, printed).toEqual(promiseOf(fault));
  });
  afterAll(() => {
    const lines = rows.map(([id, { ends, harm, left, next }]) =>
      [id.padEnd(28), ends.padEnd(24), `lost: ${harm}`, `left: ${left}`, `next: ${next}`].join(
        '  ',
      ),
    );
    if (lines.length > 0) console.info(lines.join('\n'));
  });
}
