#!/usr/bin/env node
// `node worker.js <story>` is the same as `saga worker <story>`.
process.argv.splice(2, 0, 'worker');
require('./start.js')('saga.cjs', 1);
