// Nothing is packed that was not built: an empty package would install and then not start.
import { existsSync } from 'node:fs';

const missing = ['dist/saga.cjs', 'dist/cli.cjs', 'dist/dashboard/index.html'].filter(
  (path) => !existsSync(path),
);
if (missing.length > 0) {
  process.stderr.write(
    `${missing.join(', ')} missing. At the top of the repository: npm run build\n`,
  );
  process.exit(1);
}
