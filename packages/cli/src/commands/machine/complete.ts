import { listIds } from '@saga-ai/core/plan/list-ids';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { CompleteJson } from '@saga-ai/types/screens/json/machine';
import type { Command, CommandEntry, CommandSpec, Invocation, OptionSpec } from '../../command.ts';
import { COMMANDS } from '../../command-table.ts';
import { GLOBAL_OPTIONS } from '../../parse-arguments.ts';

/** Prints one candidate per line, with its description after a tab. The scripts of the shells call it. */
export const command: Command<CompleteJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.CompleteJson),
  args: [{ name: 'words', help: 'the words so far, the last one unfinished', rest: true }],
  async run(invocation) {
    const words = invocation.args;
    const current = words.at(-1) ?? '';
    const candidates = await offer(words, invocation);
    const fitting = candidates.filter(([word]) => word.startsWith(current));
    if (invocation.out.json) return void invocation.out.value({ candidates: fitting });
    invocation.out.lines(fitting.map(([word, help]) => (help ? `${word}\t${help}` : word)));
    return 0;
  },
};

type Candidate = [word: string] | [word: string, help: string];

async function offer(
  words: string[],
  invocation: Invocation,
  table: readonly CommandEntry[] = COMMANDS,
): Promise<Candidate[]> {
  const entry = table.find((it) => it.name === words[0]);
  if (words.length <= 1 || !entry) {
    return table.filter((it) => !it.hidden).map((it) => [it.name, it.summary]);
  }
  const { command: target } = await entry.load();
  if (target.verbs) return offer(words.slice(1), invocation, target.verbs);
  return offerFor(target, words, invocation);
}

function offerFor(target: CommandSpec, words: string[], invocation: Invocation): Candidate[] {
  const current = words.at(-1) ?? '';
  const options: Readonly<Record<string, OptionSpec>> = { ...target.options, ...GLOBAL_OPTIONS };
  const before = findValueOption(words.at(-2), options);
  if (before) return (before.choices ?? []).map((it) => [it]);
  if (current.startsWith('-')) {
    return Object.entries(options).map(([name, option]) => [`--${name}`, option.help]);
  }
  const earlier = words.slice(1, -1);
  const given = earlier.filter(
    (word, i) => !word.startsWith('-') && !findValueOption(earlier[i - 1], options),
  );
  const complete = target.args?.[given.length]?.complete;
  if (complete === undefined) return [];
  if (typeof complete !== 'string') return complete.map((word) => [word]);
  return offerIds(complete, given, invocation);
}

/** Returns the option that a word names, if the next word is its value: `--model`, `-f`; not `--model=opus`. */
function findValueOption(
  word: string | undefined,
  options: Readonly<Record<string, OptionSpec>>,
): OptionSpec | undefined {
  const found = Object.entries(options).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  );
  return found?.[1].type === 'boolean' ? undefined : found?.[1];
}

function offerIds(kind: string, given: string[], { paths }: Invocation): Candidate[] {
  try {
    if (kind !== 'task') return listIds(paths()).map((id) => [id]);
    return loadStory(paths(), given[0] ?? '').tasks.map((task) => [task.id, task.subject]);
  } catch {
    // There is no project or no such story. A shell that completes a word cannot show an error.
    return [];
  }
}
