#!/usr/bin/env node
import * as nodeModule from 'node:module';

/** `node worker.js <story>` is `saga worker <story>`, for those who have the plugin only. */
if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();
import('@saga-ai/cli/run').then(async ({ run }) => {
  process.exit(await run(['worker', ...process.argv.slice(2)]));
});
