import { SagaError } from '@saga-ai/core/errors';
import { openGit, withoutStrayGit } from '@saga-ai/core/git/git';
import { loadConfig } from '@saga-ai/core/plan/config';
import { loadItem } from '@saga-ai/core/plan/resolve';
import { runInTerminal } from '@saga-ai/core/processes/run';
import type { ReviewRange } from '@saga-ai/core/review/find-range';
import { findUncommitted } from '@saga-ai/core/review/find-uncommitted';
import { isForReview, listChanges, WITHOUT_PLAN } from '@saga-ai/core/review/list-changes';
import { requireReviewRange } from '@saga-ai/core/review/require-range';
import type { DiffJson } from '@saga-ai/types/screens/json/review';
import { count, listFiles } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';

export const command: Command<DiffJson> = {
  output: () => import('@saga-ai/types/screens/json/review').then((it) => it.DiffJson),
  args: [{ name: 'item', help: 'a story or an epic', required: true, complete: 'item' }],
  options: {
    stat: { type: 'boolean', help: 'only count the changed lines of each file' },
    tool: { type: 'boolean', help: 'open the diff in the tool that git difftool uses' },
    all: { type: 'boolean', help: 'also show the files of the plan: stories, epics, journals' },
  },
  about: `Shows what a reviewer would see: every commit of the story's or the epic's branch, compared with the
commit of the base in which it began. Later commits of the base are not shown. Files of the plan are left out.
No worktree is needed, and after the merge the diff stays the same.

At a terminal git shows the diff with your pager and your colours; your other settings of git count too.`,
  examples: ['saga diff cart-api', 'saga diff cart-api --stat', 'saga diff checkout --tool'],
  async run(invocation) {
    const { args, paths, out, flag } = invocation;
    const id = args[0] ?? '';
    if (flag('stat') && flag('tool')) {
      throw new SagaError('usage', '--stat and --tool exclude each other.', 'Give one.');
    }
    if (out.json && flag('tool')) {
      throw new SagaError('usage', '--json and --tool exclude each other.', 'Give one.');
    }
    const { kind } = loadItem(paths(), id);
    const env = environment.variables();
    const { config } = loadConfig(paths(), { environment: env });
    const git = openGit(paths().root, env);
    const range = await requireReviewRange(git, { paths: paths(), config, kind, id });
    const changes = await listChanges(git, range);
    const files = flag('all') ? changes : changes.filter(({ path }) => isForReview(path));
    const planFiles = changes.length - files.length;
    const uncommitted = await findUncommitted(paths(), env, id, range);
    if (out.json) {
      return void out.value({ item: id, kind, ...range, files, planFiles, uncommitted });
    }
    if (uncommitted.length > 0) {
      const which = listFiles(uncommitted);
      warn(`not in this diff, because no commit has them: ${which} in the worktree of ${id}`);
    }
    if (files.length > 0) return showDiff(invocation, range);
    const plan = planFiles > 0 ? ` but ${count(planFiles, 'file')} of the plan; see --all` : '';
    out.lines([`${id} changes nothing${plan}.`]);
    return 0;
  },
};

/** Prints to standard error, so that a pipe receives only the diff. */
function warn(text: string): void {
  process.stderr.write(`saga: ${text.replaceAll(/[^\P{Cc}]/gu, '�')}\n`);
}

/** git itself shows the diff, so that the person's pager, colours and difftool are used. */
async function showDiff(
  { paths, flag }: Invocation<DiffJson>,
  { from, to }: ReviewRange,
): Promise<number> {
  const verb = flag('tool') ? ['difftool', '--dir-diff'] : ['diff', `--color=${chooseColour()}`];
  const what = [...(flag('stat') ? ['--stat'] : []), from, to];
  const where = flag('all') ? [] : ['--', ...WITHOUT_PLAN];
  const env = { ...withoutStrayGit(environment.variables()), GIT_NO_REPLACE_OBJECTS: '1' };
  const args = ['-C', paths().root, ...verb, ...what, ...where];
  const { code, signal } = await runInTerminal('git', args, env);
  // A pager that is left early ends git with SIGPIPE.
  return signal === 'SIGPIPE' || code === 141 ? 0 : (code ?? 1);
}

function chooseColour(): string {
  if (environment.noColour()) return 'never';
  return environment.forceColour() ? 'always' : 'auto';
}
