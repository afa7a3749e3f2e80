import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of our own that is gone when the test is. */
export function createTempFolder(): { path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'saga-test-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
