import { chmodSync, writeFileSync } from 'node:fs';
import { PLACE_VARIABLES, stageVariables } from '@saga-ai/core/agents/claude/stage-environment';
import { quote } from '@saga-ai/core/processes/quote';
import type { DemoFolder } from './demo-folder.ts';

/**
 * `saga` in the demo's repository, for another terminal. It knows the demo's variables and no others:
 * whatever is set there could lead to another model, and to somebody's account.
 */
export function writeDemoCommand(demo: DemoFolder, program: readonly string[]): void {
  const keys = [...Object.keys(stageVariables({}, NOWHERE)), ...PLACES, ...OWN];
  const shown = ['TERM', 'LANG', 'COLUMNS', 'NO_COLOR'].map(
    (key) => `\${${key}:+"${key}=$${key}"}`,
  );
  write(demo, ['-i', ...shown], keys, program);
}

/** Once the demo and its model have ended, runs in a kept folder are the person's own. */
export function handOver(demo: DemoFolder, program: readonly string[]): void {
  write(demo, [], OWN, program);
}

/** Only which variables there are is asked. */
const NOWHERE = { modelUrl: '', claudeConfig: '', temp: '' };
const PLACES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TMUX_TMPDIR',
  ...PLACE_VARIABLES,
  'GIT_CONFIG_NOSYSTEM',
  'SAGA_WORKER_CLAUDE_PATH',
];
const OWN = ['SAGA_SESSION_DIR', 'SAGA_PULL_REQUEST_MODE'];

function write(
  { saga, paths, env }: DemoFolder,
  lead: readonly string[],
  keys: readonly string[],
  program: readonly string[],
): void {
  const set = keys.flatMap((key) => (env[key] === undefined ? [] : [`${key}=${env[key]}`]));
  const words = ['env', ...lead, ...[...set, ...program].map(quote), '"$@"'];
  writeFileSync(saga, `#!/bin/sh\ncd ${quote(paths.root)} && exec ${words.join(' ')}\n`);
  chmodSync(saga, 0o700);
}
