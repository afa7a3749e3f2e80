import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a task of a native list as the client does. Fills in missing fields. */
export function writeNativeTask(list: string, id: string, fields: object = {}): void {
  const task = { id, subject: `Do ${id}`, description: `All of ${id}.`, status: 'pending' };
  const whole = { ...task, blocks: [], blockedBy: [], ...fields };
  writeFileSync(join(list, `${id}.json`), JSON.stringify(whole, null, 2));
}
