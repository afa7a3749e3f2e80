import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTempProject, TempProject } from '../../rig/project/temp-project.ts';
import { expectRefusal, GOOD_STORY } from '../../rig/screens/expect-complaint.ts';

describe('a wrong command line is answered with what would be right', () => {
  test.each<[command: string, says: string, hint: string]>([
    ['lsit', 'saga has no command "lsit"', 'Did you mean saga list?'],
    ['frobnicate', 'saga has no command "frobnicate"', 'saga --help lists all commands'],
    ['--colour list', 'saga has no option --colour', 'saga --help'],
    ['list --staus pending', 'saga list has no option --staus', 'Did you mean --status?'],
    ['list --status done', '--status must be one of pending, in_progress, completed', '--help'],
    ['list --status', '--status', 'saga list --help'],
    ['list --state red', '--state must be one of running, done, needs-you, in-review', '--help'],
    ['create --task x', '--task needs --title', 'saga create --title'],
    ['config --unset', '--unset takes one setting', 'saga config --unset worker.model'],
    ['list --archived=yes', '--archived', 'saga list --help'],
    ['graph --format svg', '--format must be one of text, mermaid, dot (found "svg")', '--help'],
    ['journal good add --title x --kind Idea', '--kind must be one of Decision', '--help'],
    ['journal good add', 'needs a title', '--title'],
    ['journal good remove', 'saga journal does not take "remove"', 'saga journal <story> add'],
    ['show', 'saga show needs <id>', 'saga show --help'],
    ['check everything', 'saga check does not take "everything"', 'saga check --help'],
    ['schema storey', 'There is no schema "storey"', 'Did you mean story?'],
    ['search good --limit many', '--limit', 'Such as --limit 50'],
  ])('saga %s', async (command, says, hint) => {
    await using project = await arrange();
    await expectRefusal(project, command.split(' '), { code: 'usage', says, hint });
  });

  test.each<[command: string, says: string, hint: string]>([
    ['task reopen good/task-1', "Claude Code's own lists", '--story good task-1'],
    ['show goood', 'No story or epic "goood"', 'Did you mean good?'],
    ['show good task-11', 'task "task-11"', 'Did you mean task-1?'],
    ['journal nosuch', 'No story or epic "nosuch"', 'saga list shows all'],
    ['journal nosuch add --title x', 'No story or epic "nosuch"', 'saga list shows all'],
    ['graph nosuch', 'No story or epic "nosuch"', 'saga list shows all'],
    ['tree nosuch', 'No story or epic "nosuch"', 'saga list shows all'],
    ['status nosuch', 'No story or epic "nosuch"', 'saga list shows all'],
    ['edit nosuch', 'No story or epic "nosuch"', 'saga list shows all'],
    ['archive nosuch', 'No story or epic "nosuch"', 'saga list shows all'],
    ['unarchive good', '"good" is in the archive', 'saga list --archived'],
  ])('saga %s', async (command, says, hint) => {
    await using project = await arrange();
    await expectRefusal(project, command.split(' '), { code: 'not-found', says, hint });
  });
});

test.each(['verify', 'logs'])('saga %s of an epic says that it is one', async (command) => {
  await using project = await arrange();
  project.writeEpic('shop', []);
  await expectRefusal(project, [command, 'shop'], {
    code: 'not-found',
    says: '"shop" is an epic, not a story',
    hint: 'saga show shop lists them',
  });
});

describe('an id that is a path opens nothing outside the plan, and moves nothing', () => {
  const PATHS = ['..', '.', '', '../../secret', '../config', '/etc/passwd', 'good/../..'];
  const COMMANDS = ['show', 'edit', 'graph', 'tree', 'status', 'journal', 'archive', 'unarchive'];

  test.each(COMMANDS)('saga %s', async (command) => {
    await using project = await arrange();
    const secret = join(project.root, 'secret.json');
    const text = JSON.stringify({ id: 'secret', title: 'Secret', description: '', children: [] });
    writeFileSync(secret, text);
    for (const id of PATHS) {
      await expectRefusal(
        project,
        [command, id],
        { code: 'not-found' },
        { env: { EDITOR: 'cat' } },
      );
      expect(readFileSync(secret, 'utf8'), `after saga ${command} ${id}`).toBe(text);
    }
  });

  test('saga journal … add', async () => {
    await using project = await arrange();
    for (const id of PATHS) {
      await expectRefusal(project, ['journal', id, 'add', '--title', 'x'], { code: 'not-found' });
    }
    expect(project.tree().filter((path) => path.endsWith('journal.md'))).toEqual([]);
  });
});

describe('where there is no project', () => {
  test('saga init outside of git', async () => {
    await using folder = createFolder();
    const refused = await folder.saga(['init', '--json']);
    expect(refused).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(refused.stdout).error).toMatchObject({
      code: 'not-a-git-repository',
      message: expect.stringContaining(folder.root),
      hint: expect.stringContaining('git init'),
    });
  });

  test.each([['list'], ['create'], ['check'], ['journal x add --title y'], ['config']])(
    'saga %s without a .saga',
    async (command) => {
      await using folder = createFolder();
      const refused = await folder.saga([...command.split(' '), '--json']);
      expect(refused).toMatchObject({ code: 1, stderr: '' });
      expect(JSON.parse(refused.stdout).error).toMatchObject({
        code: 'no-project',
        message: expect.stringContaining(folder.root),
        hint: expect.stringContaining('saga init'),
      });
    },
  );

  test('saga --project that is not there', async () => {
    await using project = await arrange();
    await expectRefusal(project, ['--project', '/no/such/folder', 'list'], {
      code: 'no-project',
      says: '/no/such/folder',
      hint: '--project DIR',
    });
  });
});

async function arrange(): Promise<TempProject> {
  const project = await createTempProject();
  project.writeStory(GOOD_STORY);
  return project;
}

/** An empty folder, with no git and no `.saga` around it. */
const createFolder = () => new TempProject(mkdtempSync(join(tmpdir(), 'saga-empty-')));
