import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { saveTaskFields } from '@saga-ai/core/plan/stories';
import { gateStory } from '@saga-ai/core/worker/gate-story';
import { ensureWorktree } from '@saga-ai/core/worker/prepare/ensure-worktree';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project/project.ts';

const SETUP =
  'mkdir -p node_modules/.bin && printf "#!/bin/sh\\ngrep -q good work.txt\\n" > node_modules/.bin/checker && chmod +x node_modules/.bin/checker';

/** A story whose work is committed and wrong, as a run left it; then `attack` in its worktree. */
async function gateAfter(
  verify: string,
  attack: (write: (path: string, text: string) => void, git: (...args: string[]) => void) => void,
  gate: object = {},
) {
  const it = createProject();
  it.write('.gitignore', 'node_modules\n');
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Ignore');
  it.git('push', '-q');
  it.story('x', { verify }, { one: {} });
  const worker = it.worker({ worktree: { setup: SETUP }, gate });
  const { folder } = await ensureWorktree(worker);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('work.txt', 'baad\n');
  it.gitIn(folder, 'add', '-A');
  it.gitIn(folder, 'commit', '-q', '-m', 'Work');
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  attack(write, (...args) => void it.gitIn(folder, ...args));
  return Object.assign(it, { folder, outcome: await gateStory(worker) });
}

const failing = (...checks: string[]) => ({
  kind: 'needs-you',
  cause: { kind: 'gate', checks },
});

/** A4: a file that verify wants lies on the disk, and git is told to ignore it. */
const hideFile: Parameters<typeof gateAfter>[1] = (write, git) => {
  write('wanted.txt', 'here\n');
  git('config', 'core.excludesFile', '.git-ignored');
  write('../project/.git/info/exclude', 'wanted.txt\n');
};

/** A5: the disk says good, the commit says baad, and a filter makes git see no difference. */
const filterFile: Parameters<typeof gateAfter>[1] = (write, git) => {
  git('config', 'filter.lie.clean', 'sed s/good/baad/');
  git('config', 'filter.lie.smudge', 'sed s/baad/good/');
  write('../project/.git/info/attributes', 'work.txt filter=lie\n');
  write('work.txt', 'good\n');
};

/** A6: the tool that verify calls is ignored by git, and says yes. */
const replaceTool: Parameters<typeof gateAfter>[1] = (write) =>
  write('node_modules/.bin/checker', '#!/bin/sh\nexit 0\n');

test.each([
  ['a file hidden by info/exclude', 'test -f wanted.txt', hideFile],
  ['a filter that shows another text than the commit has', 'grep -q good work.txt', filterFile],
  ['a replaced tool in an ignored folder', 'node_modules/.bin/checker', replaceTool],
  [
    'a change that git is told to assume away',
    'grep -q good work.txt',
    (write, git) => {
      git('update-index', '--assume-unchanged', 'work.txt');
      write('work.txt', 'good\n');
    },
  ],
] satisfies [string, string, Parameters<typeof gateAfter>[1]][])(
  'verify judges the commit: %s does not help',
  async (_, verify, attack) => {
    using it = await gateAfter(verify, attack);
    expect(it.outcome).toMatchObject({ kind: 'needs-you' });
    const [failed] = it.said('gate:failed');
    const check = failed?.checks.find(({ name }) => name === 'verify');
    expect(check).toMatchObject({ outcome: 'failed' });
    expect(check?.detail).toContain('clean checkout');
  },
);

test.each([
  ['a file hidden by info/exclude', 'test -f wanted.txt', hideFile, 'wanted.txt'],
  ['a filter', 'grep -q good work.txt', filterFile, 'work.txt'],
] as const)(
  'without a clean checkout, nothing is hidden: %s is uncommitted work',
  async (_, verify, attack, file) => {
    using it = await gateAfter(verify, attack, { clean: false });
    expect(it.outcome).toMatchObject(failing('committed'));
    expect(it.said('gate:failed')[0]?.checks).toContainEqual(
      expect.objectContaining({ name: 'committed', outcome: 'failed', files: [file] }),
    );
  },
);

test('what verify plants for the next gate is gone before it', async () => {
  const plant =
    'echo "exit 0" > node_modules/.bin/checker; git config core.fsmonitor "touch $HOME/planted"; echo good > work.txt; false';
  using it = await gateAfter(
    `test -f retry && node_modules/.bin/checker || { ${plant}; }`,
    () => {},
  );
  expect(it.outcome).toMatchObject(failing('verify'));
  writeFileSync(join(it.folder, 'retry'), '');
  it.gitIn(it.folder, 'add', '-A');
  it.gitIn(it.folder, 'commit', '-q', '-m', 'Try again');
  const worker = it.worker({ worktree: { setup: SETUP } });
  expect(await gateStory(worker)).toMatchObject(failing('verify'));
});
