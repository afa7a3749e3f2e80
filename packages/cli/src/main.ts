#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { writeAll } from './output/write.ts';
import { VERSION } from './version.ts';

const argv = process.argv.slice(2);

// Asked so often by scripts and editors that it loads nothing else.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
  writeAll(1, `${VERSION}\n`);
} else if (!('enableCompileCache' in nodeModule)) {
  // Before anything is loaded that an older Node would stumble over.
  writeAll(2, `✗ saga needs Node 22.18 or later; this is ${process.version}.\n`);
  writeAll(2, '  Install a current Node, or put one first on PATH.\n');
  process.exitCode = 1;
} else {
  nodeModule.enableCompileCache();
  import('./run.ts').then(async ({ run }) => {
    // All output is written by now; leaving at once spares the clean-up of a heap nobody needs.
    process.exit(await run(argv));
  });
}
