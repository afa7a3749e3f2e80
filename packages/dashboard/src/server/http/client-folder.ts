import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the folder of the built pages: beside the bundled command, else in the repository's build folder. */
export function findClientFolder(besideProgram: string): string {
  const bundled = join(besideProgram, 'dashboard');
  if (existsSync(join(bundled, 'index.html'))) return bundled;
  return join(besideProgram, '../../dashboard/dist/client');
}
