#!/usr/bin/env node
import * as nodeModule from 'node:module';

/** `node worker.js <story>` is the same as `saga worker <story>`, for people who have only the plugin. */
if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();
void import('@saga-ai/cli/run').then(async ({ run }) => {
  process.exit(await run(['worker', ...process.argv.slice(2)]));
});
