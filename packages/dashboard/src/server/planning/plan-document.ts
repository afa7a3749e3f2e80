import { createHash } from 'node:crypto';
import {
  openPlanDocument,
  type PlanDocument,
  type SaveOptions,
  saveEdit,
} from '@saga-ai/core/authoring/plan-document';
import { SagaError } from '@saga-ai/core/errors';
import { openPlainGit } from '@saga-ai/core/git/plain-git';
import { requireIdle } from '@saga-ai/core/plan/story-lock';
import type { Paths } from '@saga-ai/core/project/paths';
import { keepFiles } from '@saga-ai/core/trash/keep-files';
import { listVerify } from '@saga-ai/core/trust/list-parts';
import type { TrustPart } from '@saga-ai/core/trust/trust-part';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import type { PlanDocumentAnswer, SaveAnswer } from '@saga-ai/types/screens/planning';
import { count } from '@saga-ai/types/words/amounts';
import type { ActionContext } from '../actions/action-context.ts';
import { parseContent } from './parse-content.ts';
import { readContent, readText } from './read-draft-request.ts';

/** A story with its tasks, or an epic with its stories, as the page edits it. */
export async function loadDocument(paths: Paths, id: string): Promise<PlanDocumentAnswer> {
  return describe(paths, await openPlanDocument(paths, id));
}

/**
 * Saves what a page made of a document, by the same steps as `saga edit --markdown`. If the document was changed
 * since the page received it, saves nothing and answers with the newer one.
 */
export async function saveDocument(
  { paths, env }: ActionContext,
  id: string,
  body: unknown,
): Promise<SaveAnswer> {
  const content = readContent(body);
  const version = readText(body, 'version');
  const document = await openPlanDocument(paths, id);
  if (versionOf(document.text) !== version)
    return { saved: false, newer: describe(paths, document) };
  const options: SaveOptions = {
    requireUnchanged(current) {
      if (versionOf(current) !== version) throw new ChangedMeanwhile();
    },
    async keep(removed) {
      if (removed.length === 0) return;
      const git = openPlainGit(paths.root, env);
      await keepFiles(git, { kind: 'edit', name: id }, removed, `Tasks removed from ${id}`);
    },
  };
  const seenBefore = new Set(listCommands(paths, document.stories).map(textOf));
  try {
    const edited = await saveEdit(paths, document, await parseContent(content), options);
    // The person wrote these commands. Others may be folded in a form, where the person has not seen them.
    const own = listCommands(paths, edited.stories).filter((it) => !seenBefore.has(textOf(it)));
    await agreeToOwn(paths, own, env);
    const files = [...edited.files, ...edited.created.map((story) => `story ${story}: new`)];
    const message = edited.changed
      ? `Saved ${id}: ${count(files.length, 'change')}.`
      : 'Nothing changed.';
    return { saved: true, message, files, document: await loadDocument(paths, id) };
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    return { saved: false, newer: await loadDocument(paths, id) };
  }
}

const listCommands = (paths: Paths, stories: readonly string[]) =>
  stories.flatMap((story) => listVerify(paths, story));

const textOf = (part: TrustPart) => JSON.stringify(part);

class ChangedMeanwhile extends Error {}

const versionOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Returns a mark that distinguishes the drafts of this project from others, without showing its path. */
export const markOf = ({ root }: Paths) =>
  createHash('sha256').update(root).digest('base64url').slice(0, 12);

function describe(paths: Paths, document: PlanDocument): PlanDocumentAnswer {
  const { id, item, draft, text, stories } = document;
  return {
    ...{ id, kind: item.kind, title: draft.title, project: markOf(paths), text },
    version: versionOf(text),
    held: findHold(paths, stories),
  };
}

function findHold(paths: Paths, stories: readonly string[]): PlanDocumentAnswer['held'] {
  try {
    for (const story of stories) requireIdle(paths, story);
    return null;
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    const { code, message, hint } = error;
    return { code, message, hint };
  }
}
