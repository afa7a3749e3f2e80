// Nothing is packed that was not built: an empty package would install and then not start.
import { existsSync } from 'node:fs';

const parts = ['saga.cjs', 'cli.cjs', 'hooks/scope-validator.cjs', 'dashboard/index.html'];
const missing = parts.map((part) => `dist/${part}`).filter((path) => !existsSync(path));
if (missing.length > 0) {
  process.stderr.write(
    `${missing.join(', ')} missing. At the top of the repository: npm run build\n`,
  );
  process.exit(1);
}
