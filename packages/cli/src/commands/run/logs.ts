import { existsSync } from 'node:fs';
import { SagaError } from '@saga-ai/core/errors';
import { readLastLines } from '@saga-ai/core/files/lines';
import type { Paths } from '@saga-ai/core/project/paths';
import { loadSessionRecord, stateOfSession } from '@saga-ai/core/records/session-records';
import { findSession } from '@saga-ai/core/sessions/find-session';
import { followLines } from '@saga-ai/core/sessions/follow-log';
import { parseSessionEvent } from '@saga-ai/types/run/session-event';
import { EXIT_CODES, type SessionRecord } from '@saga-ai/types/run/session-record';
import type { LogJson } from '@saga-ai/types/screens/json/run';
import type { Command, Invocation } from '../../command.ts';
import { formatLogLines } from '../../output/log-line.ts';
import { formatLines, type Output } from '../../output/output.ts';
import { writeAll } from '../../output/write.ts';

const SHOWN = 200;

export const command: Command<LogJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.LogJson),
  stream: 'lines',
  args: [{ name: 'story', help: 'a story, or a session (the one that runs)', complete: 'story' }],
  options: {
    follow: { type: 'boolean', short: 'f', help: 'follow the log until the session ends' },
    raw: { type: 'boolean', help: 'the unchanged events, one JSON object per line' },
    lines: { type: 'text', short: 'n', value: 'N', help: `the last N events (${SHOWN})` },
    all: { type: 'boolean', help: 'all events from the beginning' },
  },
  about: `Prints the newest session of a story, or the named session. With --follow, the command ends when the
session ends, with the exit code of its worker: 0 done, 1 error, 2 a limit or a stop, 3 needs a person.`,
  examples: ['saga logs cart-api', 'saga logs -f cart-api', 'saga logs --raw --all cart-api'],
  async run(invocation) {
    const { paths, out, args, flag } = invocation;
    const record = findSession(paths(), args[0]);
    requireLog(record);
    const raw = flag('raw') || out.json;
    const show = (lines: readonly string[]) => print(lines, raw, record.story, out);
    const { lines, end } = flag('all')
      ? { lines: [], end: 0 }
      : readLastLines(record.outputFile, readCount(invocation));
    show(lines);
    const isOver = () => !flag('follow') || hasEnded(paths(), record);
    for await (const more of followLines(record.outputFile, end, isOver)) show(more);
    return flag('follow') ? exitCodeOf(paths(), record) : 0;
  },
};

/** The exit code of the worker that was followed. A worker that died has no outcome, which counts as an error. */
function exitCodeOf(paths: Paths, { session }: SessionRecord): number {
  const { outcome = 'error' } = loadSessionRecord(paths, session) ?? {};
  return EXIT_CODES[outcome];
}

/** Reads only this one record, because it is called ten times a second. */
function hasEnded(paths: Paths, { session }: SessionRecord): boolean {
  const record = loadSessionRecord(paths, session);
  return record === undefined || stateOfSession(record) !== 'running';
}

function print(lines: readonly string[], raw: boolean, story: string, out: Output): void {
  if (raw) {
    for (const line of lines) writeAll(1, `${line}\n`);
    return;
  }
  const events = lines.flatMap((line) => parseSessionEvent(line) ?? []);
  const shown = events.flatMap((event) => formatLogLines(event, story, out));
  if (shown.length > 0) writeAll(1, formatLines(shown));
}

function readCount({ text }: Invocation): number {
  const given = text('lines');
  const count = given === undefined ? SHOWN : Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new SagaError(
    'usage',
    `--lines must be a whole number from 1 (found ${JSON.stringify(given)}).`,
    'Such as --lines 50.',
  );
}

function requireLog({ outputFile, session }: SessionRecord): void {
  if (existsSync(outputFile)) return;
  throw new SagaError(
    'session-failed',
    `The output file of session ${session} is missing: ${outputFile}`,
    'A restart empties /tmp. Set SAGA_SESSION_DIR to a folder that lasts.',
  );
}
