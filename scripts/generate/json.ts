import { formatForm } from './json-form.ts';
import { collectSamples, listCommands, OTHERS, TOLD } from './json-samples.ts';
import { describeShapes } from './json-shapes.ts';
import { fence, page } from './page.ts';

const INTRODUCTION = `With \`--json\`, standard output is one JSON value, and \`"version": 1\` is its first key. It is raised when a
key changes its meaning; new keys may come at any time, so ignore those you do not know.

An error is \`{ "error": { "code", "message", "hint", "problems"? } }\` with exit code 1;
[codes.md](codes.md) lists the codes. \`problems\` holds every fault, when there was more than one.

How to read this page: \`"key"?\` may be missing, \`|\` separates what it may be, \`[…]\` is a list, a name such as
\`StoryView\` is one of the [shapes](#shapes) at the end, and \`...StoryView\` stands for all of its keys. Times are
ISO 8601, in UTC.`;

/** What every command prints with `--json`, taken from what it prints on a sample project. */
export async function describeJson(): Promise<string> {
  const samples = await collectSamples();
  const shown = new Map<string, string>();
  const sections: string[] = [];
  for (const command of await listCommands()) {
    const own = samples.filter((it) => it.command === command).map((it) => it.value);
    const told = TOLD[command];
    const forms = told ? [told] : groupByKeys(own).map((values) => formatForm(command, values));
    const texts = forms.map((form) => {
      const same = shown.get(form) ?? command;
      shown.set(form, same);
      if (same === command) return fence(form.split('\n'));
      return `As [\`saga ${same}\`](#saga-${same.replaceAll(' ', '-')}).`;
    });
    const parts = texts.length > 0 ? texts : [OTHERS[command] ?? missing(command)];
    sections.push([`### saga ${command}`, ...parts].join('\n\n'));
  }
  return page('JSON output', [
    INTRODUCTION,
    '## Commands',
    ...sections,
    '## Shapes',
    ...describeShapes(),
  ]);
}

function missing(command: string): never {
  throw new Error(`saga ${command}: add a call to CALLS in scripts/generate/json-samples.ts`);
}

/** What a command prints in one case and what in another, such as a story and an epic, stay apart. */
function groupByKeys(values: readonly object[]): object[][] {
  const groups = new Map<string, object[]>();
  for (const value of values) {
    const key = Object.keys(value).join();
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()];
}
