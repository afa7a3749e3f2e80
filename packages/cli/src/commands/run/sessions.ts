import { loadSessionRecords, stateOfSession } from '@saga-ai/core/records/session-records';
import { EXIT_CODES, type SessionRecord } from '@saga-ai/types/run/session-record';
import type { SessionsJson } from '@saga-ai/types/screens/json/run';
import { lookOfSession } from '@saga-ai/types/screens/story-state';
import { formatDuration, formatSpent } from '@saga-ai/types/words/amounts';
import { formatAgo } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { type Cell, formatRows } from '../../output/rows.ts';

const SHOWN = 20;

export const command: Command<SessionsJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.SessionsJson),
  args: [{ name: 'story', help: 'only the sessions of this story', complete: 'story' }],
  options: { all: { type: 'boolean', help: `all sessions, not only the newest ${SHOWN}` } },
  run({ paths, out, args, flag }) {
    const { records, problems } = loadSessionRecords(paths());
    const wanted = records.filter((it) => args[0] === undefined || it.story === args[0]);
    const shown = flag('all') ? wanted : wanted.slice(0, SHOWN);
    if (out.json) {
      const sessions = shown.map((record) => ({ ...record, ...viewEnd(record) }));
      return void out.value({ sessions, problems });
    }
    out.problems(problems);
    if (shown.length === 0) return void out.lines(['No sessions yet: saga run <story>']);
    const more = wanted.length - shown.length;
    out.lines([
      ...formatRows(shown.map(toRow), out),
      ...(more > 0 ? [`… ${more} older: saga sessions --all`] : []),
    ]);
    return 0;
  },
};

function viewEnd(record: SessionRecord) {
  const { outcome } = record;
  return {
    state: stateOfSession(record),
    exitCode: outcome === undefined ? null : EXIT_CODES[outcome],
  };
}

function toRow(record: SessionRecord): Cell[] {
  const state = stateOfSession(record);
  const { glyph, tone, word } = lookOfSession(state, record.outcome);
  const end = record.endedAt === undefined ? Date.now() : Date.parse(record.endedAt);
  const spent = [
    state === 'died' ? '' : formatDuration(end - Date.parse(record.startedAt)),
    `${record.cycle} ${record.cycle === 1 ? 'run' : 'runs'}`,
    ...formatSpent(record.tokens, record.costUsd, record.isCostEstimated),
  ];
  return [
    { text: glyph, tone },
    { text: record.story },
    { text: word, tone },
    { text: formatAgo(record.startedAt, Date.now()) },
    { text: spent.filter(Boolean).join(' · ') },
    { text: describe(record, state), flexible: true },
  ];
}

function describe(record: SessionRecord, state: string): string {
  if (state === 'died') return `process ${record.pid} is gone; to resume: saga run ${record.story}`;
  if (state === 'ended') return record.reason ?? '';
  return [record.task, record.activity].filter(Boolean).join(' · ');
}
