/**
 * Loaded before a program (node --require): kills it as `kill -9` would, right before it renames
 * something to the path in SAGA_TEST_KILL_BEFORE.
 */
const fs = require('node:fs');

const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (String(to) === process.env.SAGA_TEST_KILL_BEFORE) process.kill(process.pid, 'SIGKILL');
  return renameSync(from, to);
};
