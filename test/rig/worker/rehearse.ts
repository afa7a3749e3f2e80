import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '@saga-ai/types/run/event';
import type { Finding } from '@saga-ai/types/screens/finding';
import type { RunOptions } from '../programs/run-program.ts';
import { expectJson } from '../screens/expect-json.ts';
import { requireEvent } from './require-event.ts';
import type { Workshop } from './workshop.ts';

export interface Rehearsed {
  code: number | null;
  holds: boolean;
  findings: Finding[];
  kept: { branch: string; worktree: string } | null;
  /** Message and fix of each finding that is not ok, by its name. */
  wrong: Record<string, string>;
  events: RunEvent[];
}

/** `saga rehearse --json`, and what it left in its log. */
export async function rehearse(
  it: Workshop,
  storyId: string,
  args: string[] = [],
  options: RunOptions = {},
): Promise<Rehearsed> {
  const { code, stdout, stderr } = await it.saga(['rehearse', storyId, '--json', ...args], options);
  const value = JSON.parse(stdout) as Rehearsed & { outputFile: string; error?: object };
  if (value.error) throw new Error(`${JSON.stringify(value.error)} ${stderr}`);
  await expectJson('rehearse', stdout);
  const log = readFileSync(join(String(options.cwd ?? it.root), value.outputFile), 'utf8');
  const wrong = value.findings.filter((finding) => finding.state !== 'ok');
  return {
    ...value,
    code,
    wrong: Object.fromEntries(
      wrong.map(({ name, state, message, fix }) => [
        name,
        `${state}: ${message}${fix === undefined ? '' : ` → ${fix}`}`,
      ]),
    ),
    events: log.trimEnd().split('\n').map(requireEvent),
  };
}

/** The smallest settings with which every check holds, except the one that a test is about. */
export const VERIFIED = { gate: { verify: 'true' } };
