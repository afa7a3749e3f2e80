import { expect, test } from 'vitest';
import { OLDEST_CLIENT, TESTED_CLIENTS } from '../agents/claude/client-features.ts';
import { describeTrial, describeVersion } from './look-at-client.ts';
import type { ClientTrial } from './try-client.ts';

const newest = TESTED_CLIENTS.at(-1) ?? '';

test.each([
  [OLDEST_CLIENT, 'tested'],
  ['2.1.31', 'between tested versions'],
  [newest, 'tested'],
  ['2.2.0', `newer than ${newest}, the last one tested`],
  ['10.0.0', `newer than ${newest}, the last one tested`],
])('%s', (version, expected) => {
  expect(describeVersion(version)).toBe(expected);
});

type Report = ClientTrial['report'];

test.each<[string, Partial<Report>, Partial<ClientTrial>, string[]]>([
  ['all is well', {}, {}, ['ok Task tools', 'ok guard']],
  [
    'no Task tools',
    { outcome: 'aborted', stoppedBy: 'no-task-tools' },
    {},
    ['problem Task tools', 'ok guard'],
  ],
  [
    'hooks are switched off',
    { outcome: 'aborted', stoppedBy: 'guard-silent' },
    { wasAskedAboutPrompt: false },
    ['ok Task tools', 'problem guard'],
  ],
  ['a guard that lets through', {}, { isRefused: false }, ['ok Task tools', 'problem guard']],
  [
    'it fails at once',
    { outcome: 'usage-error' },
    { wasAskedAboutPrompt: false },
    ['problem claude'],
  ],
  [
    'nobody waits for it',
    { outcome: 'aborted', stoppedBy: 'signal' },
    { wasAskedAboutPrompt: false },
    ['warning claude'],
  ],
])('%s', (_, report, more, expected) => {
  const whole = { outcome: 'ok', detail: 'why', costUsd: 0, tokens: 0, ...report } as Report;
  const trial = {
    elapsedMs: 900,
    wasAskedAboutPrompt: true,
    isRefused: true,
    answerMs: 0.4,
    ...more,
  };
  const findings = describeTrial({ report: whole, ...trial });
  expect(findings.map(({ state, name }) => `${state} ${name}`)).toEqual(expected);
  for (const { state, fix } of findings) if (state === 'problem') expect(fix).toBeTruthy();
});
