import { appendFileSync, existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { parseAnySession } from '@saga-ai/types/words/names';
import type { Paths } from '../../project/paths.ts';
import { saveSessionRecord } from '../../records/session-records.ts';
import type { SessionNews } from '../engine.ts';
import type { LineCounter } from './line-counter.ts';
import { ensureMirrorFolder, type MirrorState, saveMirrorState } from './mirror-state.ts';

/**
 * Writes news of a session on another machine into the same files that the other machine has: its output file and its
 * record, so that everything that reads sessions works here too. A line that was written already is not written twice,
 * so this may be repeated after a kill.
 */
export function writeNews(
  paths: Paths,
  news: SessionNews,
  state: MirrorState,
  counter: LineCounter,
): MirrorState {
  const { session, machine, lines, from, record, position } = news;
  // The name becomes a file name.
  if (!parseAnySession(session)) return { ...state, position };
  const outputFile = join(ensureMirrorFolder(paths), `${session}.jsonl`);
  const { lines: written, end, size } = counter.count(outputFile);
  // A kill or a full disk left a part of a line; the whole one is in these news or in the next.
  if (size > end) truncateSync(outputFile, end);
  let { skipped } = state;
  const next = written + (skipped[session] ?? 0);
  if (from > next) {
    skipped = { ...skipped, [session]: from - written };
    saveMirrorState(paths, { ...state, skipped });
  }
  const fresh = lines.slice(Math.max(0, next - from)).filter((line) => !line.includes('\n'));
  if (fresh.length > 0 || !existsSync(outputFile)) {
    appendFileSync(outputFile, fresh.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  }
  if (record && record.session === session) {
    const { tmuxSocket: _, isLost: __, ...rest } = record;
    saveSessionRecord(paths, { ...rest, machine, outputFile, tmux: false });
  }
  return { ...state, skipped, position };
}
