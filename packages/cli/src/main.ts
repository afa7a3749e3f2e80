#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { writeAll } from './output/write.ts';
import { VERSION } from './version.ts';

const argv = process.argv.slice(2);

// Scripts and editors ask for the version often, so this path loads no other module.
if (argv.length === 1 && ['--version', '-v', '-V', 'version'].includes(argv[0] ?? '')) {
  writeAll(1, `${VERSION}\n`);
} else if (!('enableCompileCache' in nodeModule)) {
  // This check runs before any module is loaded that an older Node cannot parse.
  writeAll(2, `✗ saga needs Node 22.18 or later; this is ${process.version}.\n`);
  writeAll(2, '  Install a current Node, or put one first on PATH.\n');
  process.exitCode = 1;
} else {
  nodeModule.enableCompileCache();
  void import('./run.ts').then(async ({ run }) => {
    // All output is already written. Exiting now saves the time that Node needs to clean up its heap.
    process.exit(await run(argv));
  });
}
