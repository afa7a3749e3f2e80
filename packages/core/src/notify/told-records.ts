import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { type Delivery, ToldRecord } from '@saga-ai/types/run/news';
import { ensureIgnoredFolder, replacePrivately } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { listFolder } from '../files/list-folder.ts';
import { type Paths, toldFolder, toldRecordFile } from '../project/paths.ts';
import type { FoundNews } from './find-news.ts';

/**
 * Records that news is told, before it is told, so that a worker that is killed in between does not tell it twice.
 * Returns false if the item's last news was the same.
 */
export function claimNews(paths: Paths, news: FoundNews, time: string): boolean {
  if (loadTold(paths, news.id)?.key === news.key) return false;
  save(paths, news.id, { version: 1, key: news.key, on: news.on, time, deliveries: [] });
  return true;
}

export function saveDeliveries(paths: Paths, news: FoundNews, deliveries: Delivery[]): void {
  const record = loadTold(paths, news.id);
  if (record?.key === news.key) save(paths, news.id, { ...record, deliveries });
}

/** Forgets the last news of the item, so that the next news is new. */
export function forgetNews(paths: Paths, id: string): void {
  rmSync(toldRecordFile(paths, id), { force: true });
}

/** Lists the last news of all items. A record that cannot be read is left out. */
export function listTold(paths: Paths): { item: string; record: ToldRecord }[] {
  return listFolder(paths.root, toldFolder(paths)).flatMap((name) => {
    const item = name.replace(/\.json$/, '');
    const record = isId(item) ? loadTold(paths, item) : undefined;
    return record ? [{ item, record }] : [];
  });
}

function loadTold(paths: Paths, id: string): ToldRecord | undefined {
  const result = readJsonFile(paths.root, toldRecordFile(paths, id), ToldRecord);
  return 'value' in result ? result.value : undefined;
}

function save(paths: Paths, id: string, record: ToldRecord): void {
  ensureIgnoredFolder(paths.runs);
  ensureFolder(join(toldRecordFile(paths, id), '..'), 0o700);
  replacePrivately(toldRecordFile(paths, id), formatJson(record));
}
