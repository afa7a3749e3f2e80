import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeAttacks } from './generate/attacks.ts';
import { describeCodes } from './generate/codes.ts';
import { describeCommands } from './generate/commands.ts';
import { describeConfig } from './generate/config.ts';
import { describeEvents } from './generate/events.ts';
import { describeJson } from './generate/json.ts';
import { describeReadme } from './generate/readme.ts';
import { describeReliability } from './generate/reliability.ts';
import { embedWideCharacters } from './generate/wide-characters.ts';
import { embedPrompt } from './generate/worker-prompt.ts';

/**
 * Writes the parts of the documentation that the code knows best, and the one text that the code
 * takes from the plugin; `--check` only compares.
 */
const pages: Record<string, string> = {
  'README.md': describeReadme(),
  'docs/guide/attacks.md': describeAttacks(),
  'docs/reliability.md': describeReliability(),
  'docs/reference/commands.md': await describeCommands(),
  'docs/reference/codes.md': describeCodes(),
  'docs/reference/config.md': describeConfig(),
  'docs/reference/events.md': describeEvents(),
  'docs/reference/json.md': await describeJson(),
  'packages/core/src/worker/decide/worker-prompt.ts': embedPrompt(),
  'packages/cli/src/output/wide-characters.ts': embedWideCharacters(),
};

const stale = Object.entries(pages).filter(
  ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is out of date: npm run generate\n`);
  process.exit(stale.length > 0 ? 1 : 0);
}
for (const [path, text] of stale) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`wrote ${path}\n`);
}
