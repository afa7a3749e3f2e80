import type { NewsBoard, SessionNews, Word } from '@saga-ai/core/fleet/engine';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { Bell } from './bell.ts';
import { CHANNEL, RING } from './bell.ts';
import type { Database } from './database.ts';

interface NewsRow {
  position: string;
  session: string;
  story: string;
  machine: string;
  from: number;
  lines: string[];
  record: SessionRecord | null;
}

interface WordRow extends Omit<Word, 'id' | 'at'> {
  id: string;
  at: Date;
}

/**
 * News of one repository get their positions one after the other, so that a reader who has seen a
 * position has seen all before it.
 */
const TELL = `
with turn as materialized (select pg_advisory_xact_lock(hashtextextended($1, 1))),
told as (
  insert into saga.news (repository, session, story, machine, first_line, lines, record)
  select $1, $2, $3, $4, $5, $6::jsonb, $7::jsonb from turn
  returning position
)
select pg_notify('${CHANNEL}', 'news/' || $1) from told`;

export function openNews(database: Database, bell: Bell): NewsBoard {
  return {
    async tell(repository, { session, story, machine, from, lines, record }) {
      const values = [repository, session, story, machine, from, JSON.stringify(lines)];
      await database.query(TELL, [...values, record === undefined ? null : JSON.stringify(record)]);
    },
    async read(repository, after, most): Promise<SessionNews[]> {
      const rows = await database.query<NewsRow>(
        `select position, session, story, machine, first_line as "from", lines, record
         from saga.news where repository = $1 and position > $2 order by position limit $3`,
        [repository, after, most],
      );
      return rows.map(({ position, record, ...rest }) => ({
        ...rest,
        position: Number(position),
        record: record ?? undefined,
      }));
    },
    listen(repository, wake) {
      const topics = new Set([`news/${repository}`, `words/${repository}`]);
      return bell.listen((topic) => topics.has(topic), wake);
    },
    async say(repository, { story, kind, content, by }) {
      await database.query(
        `insert into saga.word (repository, story, kind, content, sender)
         values ($1, $2, $3, $4::jsonb, $5)`,
        [repository, story, kind, JSON.stringify(content ?? null), by],
      );
      await database.query(RING, [`words/${repository}`]);
    },
    async hear(repository, story): Promise<Word[]> {
      const rows = await database.query<WordRow>(
        `select id, story, kind, content, sender as by, at from saga.word
         where repository = $1 and story = $2 and heard_at is null order by id`,
        [repository, story],
      );
      return rows.map(({ id, at, ...rest }) => ({
        ...rest,
        id: Number(id),
        at: at.toISOString(),
      }));
    },
    async heard(ids) {
      await database.query(
        'update saga.word set heard_at = clock_timestamp() where id = any($1::bigint[])',
        [[...ids]],
      );
    },
  };
}
