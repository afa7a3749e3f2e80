import { messageOf } from '../errors.ts';
import { readEpics } from '../plan/epics.ts';
import { listIds } from '../plan/list-ids.ts';
import type { Paths } from '../project/paths.ts';
import { loadAsMarkdown } from './as-markdown.ts';

/** One document of a plan: an epic with its stories, or a story that is in no epic. */
export interface Exported {
  id: string;
  markdown: string;
  /** The parts that cannot be read, in words. The document lacks these parts, or is empty. */
  problems: string[];
}

/** Writes the named story or epic, or the whole plan, as Markdown that `saga create` reads. */
export async function exportPlan(paths: Paths, id: string | undefined): Promise<Exported[]> {
  if (id !== undefined) return [await exportOne(paths, id)];
  const { epics } = readEpics(paths);
  const inEpic = new Set(epics.flatMap((epic) => epic.children.map((it) => it.id)));
  const isEpic = new Set(epics.map((epic) => epic.id));
  const documents = listIds(paths).filter((it) => isEpic.has(it) || !inEpic.has(it));
  const exported: Exported[] = [];
  for (const it of documents) {
    // One item that cannot be read does not keep the others back.
    const failed = (error: unknown) => ({ id: it, markdown: '', problems: [messageOf(error)] });
    exported.push(await exportOne(paths, it).catch(failed));
  }
  return exported;
}

async function exportOne(paths: Paths, id: string): Promise<Exported> {
  const { markdown, problems } = await loadAsMarkdown(paths, id);
  return { id, markdown, problems: problems.map((it) => it.message) };
}
