import { describe, expect, test } from 'vitest';
import { listAccesses } from '../agents/claude/accesses.ts';
import { describeClientScope } from '../agents/claude/client-home.ts';
import type { Confinement } from './confinement.ts';
import { decideScope, type Verdict } from './scope.ts';

const TREE = '/p/.saga/worktrees/cart';
const OWN = `${TREE}/.saga/stories/cart`;
const PLACE: Confinement = {
  worktree: TREE,
  storyId: 'cart',
  readable: ['/home/u/.claude/projects/p'],
  homeFolder: '/home/u',
  agent: describeClientScope('/home/u/.claude', TREE).agent,
};

/** Links of a disk that is not there. */
const LINKS: Record<string, string> = {
  [`${TREE}/out`]: '/etc',
  [`${TREE}/plan`]: `${OWN}/story.json`,
  [`${TREE}/here`]: `${TREE}/src`,
};

function followLinks(path: string): string {
  const link = Object.keys(LINKS).find((it) => path === it || path.startsWith(`${it}/`));
  return link === undefined ? path : `${LINKS[link]}${path.slice(link.length)}`;
}

function decide(tool: string, input: Record<string, unknown>, cwd = TREE): Verdict {
  return decideScope({ accesses: listAccesses(tool, input), cwd }, PLACE, followLinks);
}

const reasonOf = (verdict: Verdict) => (verdict.allowed ? 'allowed' : verdict.reason);

const OUTSIDE = "outside this story's worktree";
const UNCLEAR = 'missing or cannot be understood';
const GIT = "git's own files";
const SETTINGS = 'settings of Claude Code';
const PLAN = 'only a person changes it';
const TASK = 'Use TaskUpdate for the status';
const OTHERS = 'a run may write only into .saga/stories/cart: journal.md, follow-ups.md';
const HIDING = 'no file whose name begins with .git';

describe('a write', () => {
  test.each<[unknown, string, string?]>([
    [`${TREE}/src/a.ts`, 'allowed'],
    ['src/a.ts', 'allowed'],
    ['./a.ts', 'allowed'],
    ['../a.ts', 'allowed', `${TREE}/sub`],
    ['..a/b', 'allowed'],
    ['a/../b', 'allowed'],
    ['here/new.ts', 'allowed'],
    ['~root/a.ts', 'allowed'],
    ['src/.saga/x.json', 'allowed'],
    ['src/story.json', 'allowed'],
    ['.gitignore', 'allowed'],
    ['.github/workflows/ci.yml', 'allowed'],
    ['.claude/commands/a.md', 'allowed'],
    ['../a.ts', OUTSIDE],
    ['../../a.ts', OUTSIDE, `${TREE}/sub`],
    ['sub/../../a.ts', OUTSIDE],
    [`${TREE}-2/a.ts`, OUTSIDE],
    [`${TREE.toUpperCase()}/a.ts`, OUTSIDE],
    ['/etc/passwd', OUTSIDE],
    [' /etc/passwd', OUTSIDE],
    ['/etc/passwd\n', OUTSIDE],
    ['~', OUTSIDE],
    ['~/a.ts', OUTSIDE],
    ['/p/.saga/stories/cart/journal.md', OUTSIDE],
    ['/home/u/.claude/projects/p/x.txt', OUTSIDE],
    ['out/passwd', OUTSIDE],
    ['plan', PLAN],
    ['', UNCLEAR],
    ['  ', UNCLEAR],
    ['a\0b', UNCLEAR],
    [undefined, UNCLEAR],
    [7, UNCLEAR],
    [['src/a.ts'], UNCLEAR],
    [`${OWN}/journal.md`, 'allowed'],
    ['journal.md', 'allowed', OWN],
    [`${OWN}/follow-ups.md`, 'allowed'],
    [`${OWN}/notes/why.md`, 'allowed'],
    [`${OWN}/story.json`, PLAN],
    [`${OWN}/Story.JSON`, PLAN],
    [`${OWN}/story.json/`, PLAN],
    [`${OWN}/../cart/story.json`, PLAN],
    ['story.json', PLAN, OWN],
    [`${OWN}/one.json`, TASK],
    [`${OWN}/new.json`, TASK],
    [`${OWN}/evidence.json`, TASK],
    [`${OWN}/sub/x.json`, TASK],
    [`${OWN}/.gitignore`, HIDING],
    [`${OWN}/.gitattributes`, HIDING],
    [OWN, OTHERS],
    ['.saga', OTHERS],
    ['.saga/config.json', OTHERS],
    ['.SAGA/config.json', OTHERS],
    ['.\u017faga/config.json', OTHERS],
    ['.sa\u200cga/config.json', OTHERS],
    ['.saga/stories/Cart/journal.md', OTHERS],
    ['.SAGA/stories/cart/story.json', PLAN],
    ['.saga/stories/other/journal.md', OTHERS],
    ['.saga/stories/cart-2/journal.md', OTHERS],
    ['.saga/epics/shop.json', OTHERS],
    ['.saga/archive/stories/old/story.json', OTHERS],
    ['.git', GIT],
    ['.git/', GIT],
    ['.GIT', GIT],
    ['.git/hooks/pre-push', GIT],
    ['vendor/lib/.git/config', GIT],
    ['.claude/settings.json', SETTINGS],
    ['.claude/settings.local.json', SETTINGS],
    ['.Claude/Settings.json', SETTINGS],
    ['sub/.claude/settings.json', SETTINGS],
  ])('to %j is %s', (path, expected, cwd) => {
    expect(reasonOf(decide('Write', { file_path: path }, cwd))).toContain(expected);
  });

  test('a letter may be composed or not', () => {
    const place = { ...PLACE, storyId: 'cart' };
    const name = '.saga/epics/café.json';
    for (const path of [name.normalize('NFC'), name.normalize('NFD')]) {
      const call = { accesses: [{ kind: 'write' as const, path }], cwd: TREE };
      expect(reasonOf(decideScope(call, place, followLinks))).toContain(OTHERS);
    }
  });

  test('a home folder with signs that mean something in a replacement is taken as it is', () => {
    const place = { ...PLACE, homeFolder: `${TREE}/$&` };
    const call = { accesses: [{ kind: 'write' as const, path: '~/a' }], cwd: TREE };
    expect(decideScope(call, place, (path) => path)).toEqual({ allowed: true });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['Edit', { file_path: '../x' }, OUTSIDE],
    ['Edit', { file_path: 'x' }, 'allowed'],
    ['MultiEdit', { file_path: `${OWN}/story.json` }, PLAN],
    ['NotebookEdit', { notebook_path: '/x.ipynb' }, OUTSIDE],
    ['NotebookEdit', { notebook_path: 'x.ipynb' }, 'allowed'],
    ['NotebookEdit', { file_path: 'x.ipynb' }, UNCLEAR],
    ['Unheard', { path: '../x' }, OUTSIDE],
    ['Unheard', { path: 'x', file_path: '.git/config' }, GIT],
    ['Unheard', { query: '/etc/passwd' }, 'allowed'],
    ['', {}, 'allowed'],
  ])('by %s of %j is %s', (tool, input, expected) => {
    expect(reasonOf(decide(tool, input))).toContain(expected);
  });
});

describe('a look', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['Read', { file_path: 'src/a.ts' }, 'allowed'],
    ['Read', { file_path: `${OWN}/story.json` }, 'allowed'],
    ['Read', { file_path: '.saga/stories/other/story.json' }, 'allowed'],
    ['Read', { file_path: '.git/config' }, 'allowed'],
    ['Read', { file_path: '/home/u/.claude/projects/p/out.txt' }, 'allowed'],
    ['Read', { file_path: '/home/u/.claude/projects/p-2/out.txt' }, OUTSIDE],
    ['Read', { file_path: '~/.ssh/id_rsa' }, OUTSIDE],
    ['Read', { file_path: 'out/passwd' }, OUTSIDE],
    ['Read', {}, UNCLEAR],
    ['Grep', { pattern: 'x' }, 'allowed'],
    ['Grep', { pattern: '/etc/passwd', path: 'src' }, 'allowed'],
    ['Grep', { pattern: 'x', path: '..' }, OUTSIDE],
    ['Grep', { pattern: 'x', path: 'out' }, OUTSIDE],
    ['Glob', { pattern: '**/*.ts' }, 'allowed'],
    ['Glob', { pattern: 'src/{a,b}/*.ts' }, 'allowed'],
    ['Glob', { pattern: 'src/../*.ts' }, 'allowed'],
    ['Glob', { pattern: '*.ts', path: 'src' }, 'allowed'],
    ['Glob', { pattern: `${TREE}/*.ts` }, 'allowed'],
    ['Glob', { pattern: '*.ts', path: '/etc' }, OUTSIDE],
    ['Glob', { pattern: '/etc/*' }, OUTSIDE],
    ['Glob', { pattern: '~/*' }, OUTSIDE],
    ['Glob', { pattern: '../*' }, OUTSIDE],
    ['Glob', { pattern: 'out/*' }, OUTSIDE],
    ['Glob', { pattern: '../*.ts', path: 'src/sub' }, 'allowed'],
    ['Glob', { pattern: '*/../../*' }, UNCLEAR],
    ['Glob', { pattern: '{..,src}/*' }, UNCLEAR],
    ['Glob', { pattern: '{src,/etc}/*' }, UNCLEAR],
    ['Glob', {}, UNCLEAR],
  ])('by %s of %j is %s', (tool, input, expected) => {
    expect(reasonOf(decide(tool, input))).toContain(expected);
  });
});

describe('a task', () => {
  test.each([
    ['completed', 'allowed'],
    ['in_progress', 'allowed'],
    [undefined, 'allowed'],
    ['deleted', 'cannot be deleted'],
  ])('updated to %s is %s', (status, expected) => {
    expect(reasonOf(decide('TaskUpdate', { taskId: 'one', status }))).toContain(expected);
  });
});
