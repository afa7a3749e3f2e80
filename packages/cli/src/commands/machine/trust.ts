import { SagaError } from '@saga-ai/core/errors';
import { listAllParts } from '@saga-ai/core/trust/list-parts';
import { type JudgedPart, judgeParts } from '@saga-ai/core/trust/trust-part';
import { forgetAgreed, loadAgreed, saveAgreed } from '@saga-ai/core/trust/trust-record';
import type { TrustJson } from '@saga-ai/types/screens/json/machine';
import { count } from '@saga-ai/types/words/amounts';
import type { Command, Invocation } from '../../command.ts';
import { environment } from '../../environment.ts';
import { askYesOrNo, canAsk } from '../../trust/settle-trust.ts';
import { formatParts } from '../../trust/trust-list.ts';

export const command: Command<TrustJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.TrustJson),
  options: {
    yes: { type: 'boolean', short: 'y', help: 'agree without being asked' },
    show: { type: 'boolean', help: 'only show the list' },
    forget: { type: 'boolean', help: 'forget that you trust this project' },
  },
  about: `Lists everything in this repository that makes SAGA or Claude Code start a program, or that gives a
run more than it has by default: commands in the settings and in stories, tools, servers, the sandbox, and hooks
and variables in the settings of Claude Code. It says what is new or changed since you agreed, and asks whether
you trust it. What you agree to is remembered outside the repository, by its path and by the texts.

saga run, worker, gate and rehearse ask the same question if something is new. What you write with saga init,
config, create and edit is yours and is never asked about.

Exit codes: 0 trusted, 1 not trusted.`,
  examples: ['saga trust', 'saga trust --show', 'saga trust --forget'],
  async run(invocation) {
    const { paths, out, flag } = invocation;
    const env = environment.variables();
    if ([flag('yes'), flag('show'), flag('forget')].filter(Boolean).length > 1) {
      throw new SagaError('usage', '--yes, --show and --forget exclude each other.', 'Give one.');
    }
    if (flag('forget')) return forget(invocation);
    const list = () => judgeParts(listAllParts(paths()), loadAgreed(paths(), env));
    const parts = list();
    const open = parts.filter(({ state }) => state !== 'known');
    const isAgreed =
      open.length > 0 && !flag('show') && (flag('yes') || (await ask(invocation, parts)));
    if (isAgreed) await saveAgreed(paths(), open, env);
    const isTrusted = open.length === 0 || isAgreed;
    if (out.json) {
      out.value({ project: paths().root, trusted: isTrusted, parts: list().map(toJson) });
    } else {
      if (flag('show') || open.length === 0) out.lines(formatParts(parts, out));
      out.lines([describeVerdict(parts, isTrusted, invocation)]);
    }
    return isTrusted ? 0 : 1;
  },
};

async function ask({ paths, out }: Invocation<TrustJson>, parts: JudgedPart[]): Promise<boolean> {
  if (!canAsk(out)) {
    if (!out.json) out.lines(formatParts(parts, out));
    return false;
  }
  out.lines([
    `${paths().root} would use this, with your rights:`,
    '',
    ...formatParts(parts, out),
    '',
  ]);
  return askYesOrNo('Do you trust it? [y/N] ');
}

async function forget({ paths, out }: Invocation<TrustJson>): Promise<number> {
  const env = environment.variables();
  const wasKnown = await forgetAgreed(paths(), env);
  const parts = judgeParts(listAllParts(paths()), {});
  if (out.json) {
    out.value({ project: paths().root, trusted: parts.length === 0, parts: parts.map(toJson) });
  } else {
    out.lines([
      wasKnown
        ? `${out.paint('done', '✓')} forgotten: the next run asks again`
        : 'Nothing was remembered about this project.',
    ]);
  }
  return 0;
}

function describeVerdict(
  parts: readonly JudgedPart[],
  isTrusted: boolean,
  { out }: Invocation<TrustJson>,
): string {
  if (parts.length === 0) {
    return `${out.paint('done', '✓')} this project names no program, so there is nothing to trust`;
  }
  if (isTrusted) return `${out.paint('done', '✓')} trusted: ${count(parts.length, 'thing')}`;
  const open = parts.filter(({ state }) => state !== 'known').length;
  const how = process.stdin.isTTY ? 'saga trust' : 'saga trust --yes';
  return `${out.paint('needs-you', '!')} not trusted: ${count(open, 'thing')} new or changed. To agree: ${how}`;
}

const toJson = ({ name, file, text, state }: JudgedPart) => ({ name, file, text, state });
