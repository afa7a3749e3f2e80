import { SagaError } from '@saga-ai/core/errors';
import { type CleanItem, planClean } from '@saga-ai/core/recovery/clean';
import type { CleanJson } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import { YES_OPTION } from '../../ask-first.ts';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import type { Output } from '../../output/output.ts';
import { cleanLine, hang } from '../../output/text.ts';
import { askYesOrNo, canAsk } from '../../trust/settle-trust.ts';

export const command: Command<CleanJson> = {
  output: () => import('@saga-ai/types/screens/json/recovery').then((it) => it.CleanJson),
  options: YES_OPTION,
  about: `Shows what finished stories and old sessions left, and removes it if you agree. Worktrees and branches of
stories that are done go into the trash. Records, logs, task lists of Claude Code and copies of what was put back after runs are removed
for good once they are older than clean.keepDays (30), but not those of stories that are not done. Worktrees
and branches with work stay: those with uncommitted files, or with commits that neither the base nor the remote has.`,
  examples: ['saga clean', 'saga clean --yes'],
  async run({ paths, out, flag }) {
    const env = environment.handedOver();
    const { items, kept } = await planClean({
      paths: paths(),
      env,
      clientHome: environment.claudeConfig(env),
      userId: environment.userId(),
      now: Date.now(),
    });
    const view = items.map(({ kind, name, why }) => ({ kind, name, why }));
    if (!out.json) {
      out.lines([
        ...(items.length === 0 ? ['Nothing is to be cleaned away.'] : formatItems(items, out)),
        ...kept.flatMap(({ name, why }) =>
          hang(`${out.paint('needs-you', '!')} stays   `, `${name}: ${why}`, out.width),
        ),
      ]);
    }
    const isMeant = flag('yes') || (items.length > 0 && canAsk(out) && (await ask(items)));
    if (!isMeant) {
      if (out.json) out.value({ items: view, kept, done: false });
      else if (items.length > 0)
        out.lines(['', 'Nothing was removed. To remove it: saga clean --yes']);
      return 0;
    }
    const failed = await removeAll(items, out);
    if (out.json) out.value({ items: view, kept, done: failed === 0 });
    else if (items.length > failed) {
      out.lines(['', `${out.paint('done', '✓')} ${count(items.length - failed, 'item')} removed`]);
    }
    return failed > 0 ? 1 : 0;
  },
};

const ask = (items: readonly CleanItem[]) =>
  askYesOrNo(`Remove ${count(items.length, 'item')}? [y/N] `);

/** Removes all items. If one cannot be removed, prints the reason and goes on with the others. */
async function removeAll(items: readonly CleanItem[], out: Output<CleanJson>): Promise<number> {
  let failed = 0;
  for (const { remove } of items) {
    try {
      await remove();
    } catch (error) {
      if (!(error instanceof SagaError)) throw error;
      failed++;
      out.problems([error]);
    }
  }
  return failed;
}

const KINDS = {
  story: 'worktree and branch',
  session: 'record',
  log: 'log',
  list: 'task list',
  'put-back': 'put-back copy',
};

function formatItems(items: readonly CleanItem[], out: Output): string[] {
  return items.flatMap(({ kind, name, why }) =>
    hang(`- ${KINDS[kind]}  `, `${cleanLine(name)}  ${out.paint('quiet', why)}`, out.width, 4),
  );
}
