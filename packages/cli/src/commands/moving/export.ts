import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Exported, exportPlan } from '@saga-ai/core/authoring/export';
import { SagaError, toWriteError } from '@saga-ai/core/errors';
import { writeFileAtomic } from '@saga-ai/core/files/atomic-write';
import type { ExportJson } from '@saga-ai/types/screens/json/plan';
import { count } from '@saga-ai/types/words/amounts';
import type { Command } from '../../command.ts';
import { cleanLine, hang } from '../../output/text.ts';

export const command: Command<ExportJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ExportJson),
  args: [{ name: 'id', help: 'a story or an epic (default: the whole plan)', complete: 'item' }],
  about: `Prints a story with its tasks, or an epic with its stories, as Markdown. saga create reads the same plan from it.

Without an id it is the whole plan: one document for each epic, and one for each story that is in no epic. With --to, an
id goes into a file, and the whole plan into a folder, as <id>.md. A file that exists and differs is only replaced with
--force. What workers write, such as attempts and branches, is left out; statuses are kept.`,
  options: {
    to: { type: 'text', value: 'PATH', help: 'write a file, or the whole plan into a folder' },
    force: { type: 'boolean', help: 'replace files that differ' },
  },
  examples: [
    'saga export checkout',
    'saga export checkout --to checkout.md',
    'saga export --to plan',
  ],
  async run({ args, paths, out, text, flag, folder }) {
    const documents = await exportPlan(paths(), args[0]);
    const to = text('to');
    const isWhole = args[0] === undefined;
    const files =
      to === undefined
        ? []
        : write(documents, resolve(folder, to), { isWhole, isForced: flag('force') });
    if (out.json) {
      return void out.value({ documents, files });
    }
    if (to === undefined) {
      const named = (it: Exported) =>
        isWhole ? `<!-- ${it.id}.md -->\n\n${it.markdown}` : it.markdown;
      out.lines(
        documents
          .map((it) => named(it).replace(/\n$/, ''))
          .flatMap((it, at) => (at === 0 ? [it] : ['', it])),
      );
    } else {
      out.lines([
        `${out.paint('done', '✓')} ${count(files.length, 'file', 'files')} written: ${to}`,
      ]);
    }
    const problems = documents.flatMap((it) =>
      it.problems.map((problem) => `${it.id}: ${problem}`),
    );
    for (const it of problems) {
      process.stderr.write(`${hang('! ', cleanLine(it), out.width).join('\n')}\n`);
    }
    return problems.length > 0 ? 1 : 0;
  },
};

interface Wish {
  isWhole: boolean;
  isForced: boolean;
}

/** Checks all files first: if one of them is in the way, nothing is written. */
function write(documents: readonly Exported[], to: string, { isWhole, isForced }: Wish): string[] {
  if (!isWhole && statSync(to, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = `Name a file: --to ${join(to, `${documents[0]?.id}.md`)}`;
    throw new SagaError('usage', `${to} is a folder.`, hint);
  }
  const files = documents
    .filter((it) => it.markdown !== '')
    .map((it) => ({ path: isWhole ? join(to, `${it.id}.md`) : to, text: it.markdown }));
  try {
    const taken = files.filter(
      ({ path, text }) => existsSync(path) && readFileSync(path, 'utf8') !== text,
    );
    if (taken.length > 0 && !isForced) {
      throw new SagaError(
        'already-exists',
        `${taken.map(({ path }) => path).join(', ')} exists and differs. Nothing was written.`,
        'Choose another place with --to, or replace it with --force.',
      );
    }
    if (isWhole) mkdirSync(to, { recursive: true });
    for (const { path, text } of files) writeFileAtomic(path, text);
  } catch (error) {
    throw toWriteError(error, to);
  }
  return files.map(({ path }) => path);
}
