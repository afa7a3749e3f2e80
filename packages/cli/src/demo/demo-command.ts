import { chmodSync, writeFileSync } from 'node:fs';
import { agent } from '@saga-ai/core/agents/chosen';
import { quote } from '@saga-ai/core/project/quote';
import type { DemoFolder } from './demo-folder.ts';

/**
 * Writes a `saga` command for another terminal. It works in the demo's repository with the demo's variables
 * only: other variables of that terminal could select a paid model and the person's account.
 */
export function writeDemoCommand(demo: DemoFolder, program: readonly string[]): void {
  const keys = [...Object.keys(agent.stage.buildVariables({}, NOWHERE)), ...PLACES, ...OWN];
  const shown = ['TERM', 'LANG', 'COLUMNS', 'NO_COLOR'].map(
    (key) => `\${${key}:+"${key}=$${key}"}`,
  );
  write(demo, ['-i', ...shown], keys, program);
}

/** Rewrites the command of a kept folder after the demo's model has ended: it now uses the person's account. */
export function handOver(demo: DemoFolder, program: readonly string[]): void {
  write(demo, [], OWN, program);
}

/** A stage with empty values, because only the names of its variables are needed. */
const NOWHERE = { modelUrl: '', home: { config: '' }, temp: '' };
const PLACES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TMUX_TMPDIR',
  ...agent.stage.placeVariables,
  'GIT_CONFIG_NOSYSTEM',
  'SAGA_WORKER_CLAUDE_PATH',
];
const OWN = ['SAGA_SESSION_DIR', 'SAGA_PULL_REQUEST_MODE', 'SAGA_TRUST'];

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
