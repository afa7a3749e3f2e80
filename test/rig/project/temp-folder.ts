import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is removed when the test ends. */
export function createTempFolder(): { path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'saga-test-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
