import { loadOverview } from '@saga-ai/core/overview/overview';
import type { Paths } from '@saga-ai/core/project/paths';
import { loadSessionRecords, stateOfSession } from '@saga-ai/core/records/session-records';
import { EXIT_CODES, type SessionRecord } from '@saga-ai/types/run/session-record';
import { isForYou } from '@saga-ai/types/screens/inbox';
import type { SessionsJson } from '@saga-ai/types/screens/json/run';
import { describeWaiting } from '@saga-ai/types/screens/life';
import { lookOfSession } from '@saga-ai/types/screens/story-state';
import { formatDuration, formatSpent } from '@saga-ai/types/words/amounts';
import { formatAgo } from '@saga-ai/types/words/times';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { type Cell, formatRows } from '../../output/rows.ts';
import { cleanLine, hang, measure, pad } from '../../output/text.ts';

const SHOWN = 20;

export const command: Command<SessionsJson> = {
  output: () => import('@saga-ai/types/screens/json/run').then((it) => it.SessionsJson),
  args: [{ name: 'story', help: 'only the sessions of this story', complete: 'story' }],
  options: { all: { type: 'boolean', help: `all sessions, not only the newest ${SHOWN}` } },
  async run({ paths, out, args, flag }) {
    const { records, problems } = loadSessionRecords(paths());
    const wanted = records.filter((it) => args[0] === undefined || it.story === args[0]);
    const shown = flag('all') ? wanted : wanted.slice(0, SHOWN);
    const more = wanted.length - shown.length;
    if (out.json) {
      const sessions = shown.map((record) => ({ ...record, ...viewEnd(record) }));
      return void out.value({ sessions, omitted: more, problems });
    }
    out.problems(problems);
    if (shown.length === 0) return void out.lines(['No sessions yet: saga run <story>']);
    const next = await findNext(paths(), shown);
    const rows = formatRows(shown.map(toRow), out);
    const widest = Math.max(...rows.map(measure));
    out.lines([
      ...shown.flatMap((record, i) => formatSession(record, pad(rows[i] ?? '', widest), next, out)),
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

/**
 * Finds the command that helps, by the newest session of each story that waits for a person. Older
 * sessions are history.
 */
async function findNext(
  paths: Paths,
  shown: readonly SessionRecord[],
): Promise<ReadonlyMap<string, string>> {
  const isOpen = (it: SessionRecord) => it.outcome !== 'done' && stateOfSession(it) !== 'running';
  if (!shown.some(isOpen)) return new Map();
  const { stories } = await loadOverview(paths, environment.handedOver());
  const waiting = new Map(stories.filter(isForYou).map((story) => [story.id, story.next]));
  const next = new Map<string, string>();
  for (const record of shown) {
    const command = waiting.get(record.story);
    if (command && isOpen(record)) next.set(record.session, command);
    // Only the newest session of a story gets the command.
    waiting.delete(record.story);
  }
  return next;
}

/**
 * Formats a session as a row. The last words of its worker follow in the row, or below it if the row would be too long.
 */
function formatSession(
  record: SessionRecord,
  row: string,
  next: ReadonlyMap<string, string>,
  out: Output,
): string[] {
  const text = cleanLine(describe(record, stateOfSession(record)));
  const command = next.get(record.session);
  const isShort = measure(row) + 2 + measure(text) <= out.width;
  return [
    ...(isShort ? [`${row}  ${text}`.trimEnd()] : [row.trimEnd(), ...hang('  ', text, out.width)]),
    ...(command === undefined || record.hint === undefined
      ? []
      : hang('  ', cleanLine(record.hint), out.width)),
    ...(command === undefined ? [] : [`  → ${command}`]),
  ];
}

function toRow(record: SessionRecord): Cell[] {
  const state = stateOfSession(record);
  const { glyph, tone, word } = lookOfSession(state, record.outcome);
  const end = record.endedAt === undefined ? Date.now() : Date.parse(record.endedAt);
  const spent = [
    state === 'died' ? '' : formatDuration(end - Date.parse(record.startedAt)),
    `${record.cycle} ${record.cycle === 1 ? 'run' : 'runs'}`,
    ...formatSpent(record.tokens, record),
  ];
  return [
    { text: glyph, tone },
    { text: record.story, flexible: true },
    { text: word, tone },
    { text: formatAgo(record.startedAt, Date.now()) },
    { text: spent.filter(Boolean).join(' · ') },
  ];
}

function describe(record: SessionRecord, state: string): string {
  const { machine } = record;
  const place = machine === undefined ? '' : `on ${machine}`;
  if (state === 'died') {
    return machine === undefined ? `process ${record.pid} is gone` : `${machine} lost it`;
  }
  if (state === 'ended') return record.reason ?? '';
  const waits = record.waiting && describeWaiting(record.waiting);
  return [place, waits ?? record.task, record.activity].filter(Boolean).join(' · ');
}
