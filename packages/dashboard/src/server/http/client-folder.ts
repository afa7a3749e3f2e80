import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the built pages lie: beside the bundled command, else where the repository builds them. */
export function findClientFolder(besideProgram: string): string {
  const bundled = join(besideProgram, 'dashboard');
  if (existsSync(join(bundled, 'index.html'))) return bundled;
  return join(besideProgram, '../../dashboard/dist/client');
}
