import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readDraft } from '@saga-ai/core/authoring/read-draft';
import { CONFIG_GROUPS, CONFIG_KEYS, Config } from '@saga-ai/types/config';
import { EXIT_CODES } from '@saga-ai/types/run/session-record';
import { CODES } from '@saga-ai/types/words/problem';
import { expect, test } from 'vitest';
import type { CommandEntry, CommandSpec } from '../packages/cli/src/command.ts';
import { COMMANDS } from '../packages/cli/src/command-table.ts';
import { parseArguments } from '../packages/cli/src/parse-arguments.ts';

/** The documentation says what is so: codes, links, commands, settings and examples are held against the code. */
const ROOT = resolve(import.meta.dirname, '..');

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'plugin/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
].map((path) => ({ path, ...readPage(readFileSync(join(ROOT, path), 'utf8')) }));

test('every code has its section in troubleshooting, and every section its code', () => {
  const page = PAGES.find(({ path }) => path === 'docs/guide/troubleshooting.md');
  const sections = page?.prose.flatMap((line) => /^## `(.+)`$/.exec(line)?.[1] ?? []) ?? [];
  expect(sections.toSorted()).toEqual(Object.keys(CODES).toSorted());
});

test('every link leads to a file, and its anchor to a heading', () => {
  const broken = PAGES.flatMap(({ path, prose }) =>
    findLinks(prose.join('\n'))
      .filter((link) => !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the example of /saga:plan is the one of the guide', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/writing-good-stories.md'), 'utf8');
  const [, ...rest] = guide.split('## A bad one and a good one\n\n');
  const example = rest.join('').split('\n## The fields')[0] ?? '';
  const own = readFileSync(join(ROOT, 'plugin/skills/plan/example.md'), 'utf8');
  expect(own).toBe(`# A bad story and a good one\n\n${example}`);
});

test('every command of an example exists, with its options', async () => {
  const complaints: string[] = [];
  for (const { path, fences } of PAGES) {
    // Generated from the commands themselves, and full of their own help.
    if (path === 'docs/reference/commands.md') continue;
    for (const words of fences.flatMap(({ lines }) => findCalls(lines))) {
      const complaint = await findComplaint(words, COMMANDS);
      if (complaint) complaints.push(`${path}: saga ${words.join(' ')}: ${complaint}`);
    }
  }
  expect(complaints).toEqual([]);
});

test('every command that the pages of the dashboard name exists, with its options', async () => {
  const files = globSync([
    'packages/dashboard/src/client/**/*.{ts,tsx}',
    'packages/types/src/screens/stall.ts',
  ]).filter((path) => !path.includes('.test.'));
  const named = files.flatMap((path) =>
    findQuotedCalls(readFileSync(join(ROOT, path), 'utf8')).map((words) => ({ path, words })),
  );
  expect(named.length).toBeGreaterThan(5);
  const complaints: string[] = [];
  for (const { path, words } of named) {
    const complaint = await findComplaint(words, COMMANDS);
    if (complaint) complaints.push(`${path}: saga ${words.join(' ')}: ${complaint}`);
  }
  expect(complaints).toEqual([]);
});

test('the table of exit codes says what each command ends with', () => {
  const { prose = [] } = PAGES.find(({ path }) => path === 'README.md') ?? {};
  const rows = prose.flatMap((line) => {
    const [, commands = '', code] = /^\| (`saga [^|]+) \| (\d) \|/.exec(line) ?? [];
    return code === undefined ? [] : [{ commands, code: Number(code) }];
  });
  const codesOf = (command: string) =>
    rows.filter((it) => it.commands.includes(`\`${command}\``)).map((it) => it.code);
  const ofWorker = [...new Set(Object.values(EXIT_CODES))].toSorted();
  for (const command of ['saga worker', 'saga run --foreground', 'saga logs -f', 'saga gate']) {
    expect(codesOf(command)).toEqual(ofWorker);
  }
  expect(codesOf('saga run')).toEqual([0, 1]);
});

test('the glossary defines every word once', () => {
  const rows = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8').matchAll(
    /^\| (?!word \|)(.+?) \|/gm,
  );
  const words = [...rows]
    .flatMap(([, named = '']) => named.replace(/ \(.*\)$/, '').split(', '))
    .map((word) => word.toLowerCase());
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});

test('every setting that is mentioned exists', () => {
  const unknown = PAGES.flatMap(({ path, prose }) =>
    [...prose.join('\n').matchAll(/`([a-zA-Z]+)\.([a-zA-Z]+)/g)]
      .filter(([, group = '', name = '']) => CONFIG_GROUPS.has(group) && !isExtension(name))
      .map(([, group, name]) => `${group}.${name}`)
      .filter((key) => !CONFIG_KEYS.includes(key))
      .map((key) => `${path}: ${key}`),
  );
  expect(unknown).toEqual([]);
});

test('every draft and every configuration that is shown is valid', () => {
  const examples = PAGES.flatMap(({ path, fences }) =>
    fences
      .filter(({ language, lines }) => language === 'json' && lines[0]?.startsWith('{'))
      .map(({ lines }) => ({ path, value: JSON.parse(lines.join('\n')) as object })),
  );
  expect(examples.length).toBeGreaterThan(3);
  for (const { path, value } of examples) {
    const isDraft = 'title' in value;
    const result = isDraft ? readDraft(value) : Config.safeParse(value).error;
    expect({ path, result }).not.toMatchObject(
      isDraft ? { result: { problems: expect.anything() } } : { result: expect.anything() },
    );
  }
});

interface Fence {
  language: string;
  lines: string[];
}

/** What is said, and what is shown; links and settings are looked for in the one, calls in the other. */
function readPage(text: string): { prose: string[]; fences: Fence[] } {
  const prose: string[] = [];
  const fences: Fence[] = [];
  let open: Fence | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s*```(\w*)/.exec(line);
    if (mark && !open) open = { language: mark[1] ?? '', lines: [] };
    else if (mark && open) {
      fences.push(open);
      open = undefined;
    } else (open?.lines ?? prose).push(line);
  }
  return { prose, fences };
}

function findLinks(text: string): string[] {
  const withoutCode = text.replace(/`[^`\n]*`/g, 'code');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, from) : resolve(ROOT, dirname(from), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  return statSync(target).isFile() && listAnchors(readFileSync(target, 'utf8')).includes(anchor);
}

/** As GitHub makes them of headings. */
function listAnchors(text: string): string[] {
  return readPage(text).prose.flatMap((line) => {
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (heading === undefined) return [];
    return heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
  });
}

/** What a person would type; where a prompt is shown, the other lines are answers. */
function findCalls(lines: readonly string[]): string[][] {
  const hasPrompt = lines.some((line) => line.startsWith('$ '));
  const typed = hasPrompt ? lines.filter((line) => line.startsWith('$ ')) : lines;
  return typed
    .map((line) => line.replace(/^\$ /, '').replace(/\s#\s.*$/, ''))
    .flatMap(splitSubstitutions)
    .flatMap((line) => line.split(/[|;&]+|\bdo\b/))
    .map((part) => part.trim())
    .filter((part) => /^saga(\s|$)/.test(part))
    .map((part) => splitWords(part).slice(1));
}

/** In the text of a page or in a string; what is filled in stands for one word. */
function findQuotedCalls(source: string): string[][] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/\$\{[^}]*\}/g, 'x');
  return [...code.matchAll(/(?<=[>`'":]\s*)saga [a-z](?:[^<`'"\n]|<[a-z]+>)*/g)].map(([call]) =>
    splitWords(call).slice(1),
  );
}

/** `x=$(saga …)` is a call as well; what is left of it in the line is one word. */
function splitSubstitutions(line: string): string[] {
  const inner = [...line.matchAll(/\$\(([^()]*)\)/g)].map(([, text = '']) => text);
  return [line.replace(/\$\([^()]*\)/g, 'x'), ...inner];
}

function splitWords(text: string): string[] {
  const words = text.replace(/<[\w-]+>/g, 'x').match(/(?:"[^"]*"|'[^']*'|[^\s"'<>])+/g) ?? [];
  return words.map((word) => word.replace(/["']/g, ''));
}

async function findComplaint(
  words: readonly string[],
  table: readonly CommandEntry[],
  prefix = '',
): Promise<string | undefined> {
  const [word = '', ...rest] = words;
  if (word.startsWith('--')) return undefined;
  const entry = table.find((it) => it.name === word && !it.hidden);
  if (!entry) return `there is no ${prefix}${word}`;
  const { command } = await entry.load();
  const name = `${prefix}${word}`;
  if (command.verbs) {
    const usual = rest.length === 0 && command.usual !== undefined ? [command.usual] : rest;
    return findComplaint(usual, command.verbs, `${name} `);
  }
  try {
    return findWrongChoice(command, parseArguments(name, command, rest).args);
  } catch (error) {
    return String(error);
  }
}

function findWrongChoice({ args = [] }: CommandSpec, given: readonly string[]): string | undefined {
  return given.find((word, i) => {
    const choices = args[i]?.complete;
    return Array.isArray(choices) && !choices.includes(word);
  });
}

const isExtension = (name: string) => /^(js|cjs|mjs|ts|tsx|json|jsonl|md)$/.test(name);
