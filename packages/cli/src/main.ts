#!/usr/bin/env node
import { writeAll } from './output/write.ts';
import { VERSION } from './version.ts';

const argv = process.argv.slice(2);

// Asked so often by scripts and editors that it loads nothing else.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
  writeAll(1, `${VERSION}\n`);
} else {
  const { run } = await import('./run.ts');
  process.exitCode = await run(argv);
}
