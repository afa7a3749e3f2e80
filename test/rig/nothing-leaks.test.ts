import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createStage } from './client/stage.ts';
import { startGitHub } from './github/github.ts';
import { processesOf } from './programs/processes-of.ts';
import { createTempFolder } from './project/temp-folder.ts';
import { createTmuxServer } from './worker/tmux-server.ts';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

/** The tool's own child, which outlives a client that is killed unless somebody sees to it. */
function tailsOf(folder: string): string[] {
  return processesOf(folder).filter((pid) => {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('tail\0-f');
  });
}

test('nothing of the person is used, and nothing is left behind', async () => {
  using folder = createTempFolder();
  const person = join(folder.path, 'person');
  const temp = join(folder.path, 'temp');
  mkdirSync(join(person, '.claude'), { recursive: true });
  mkdirSync(temp);
  writeFileSync(join(person, '.claude', 'settings.json'), '{"env":{"PERSONAL":"1"}}');
  Object.assign(process.env, { HOME: person, TMPDIR: temp, ANTHROPIC_API_KEY: 'a-real-key' });
  Object.assign(process.env, { CLAUDE_CODE_SESSION_ID: 'outer', SECRET_OF_THE_PERSON: 'x' });

  let shown = '';
  {
    await using stage = await createStage();
    using tmux = createTmuxServer();
    await using github = await startGitHub({ origin: stage.repo });
    tmux.run('new-session', '-d', '-s', 'inside', 'sleep 1000');
    expect(tmux.sessions()).toEqual(['inside']);
    expect(github.unknown).toEqual([]);
    const { result, model } = await stage.run({
      turns: [{ calls: [{ tool: 'Bash', input: { command: 'env | sort' } }] }, { text: 'Done.' }],
    });
    expect(result?.is_error).toBe(false);
    expect(model.requests.every(({ headers }) => headers['x-api-key'] === 'dummy')).toBe(true);
    shown = model.requests.at(-1)?.conversation.calls.at(-1)?.result?.text ?? '';
    // One that is stopped in the middle of a tool leaves no orphan either.
    const running = await stage.start({
      turns: [{ calls: [{ tool: 'Bash', input: { command: 'tail -f /dev/null' } }] }],
    });
    await running.seen((event) => event.type === 'assistant');
    await expect.poll(() => tailsOf(temp)).toHaveLength(1);
  }
  expect(shown).toContain('CLAUDE_CODE_TASK_LIST_ID=saga__stage__1');
  expect(shown).not.toMatch(/SECRET_OF_THE_PERSON|a-real-key|outer|PERSONAL/);
  expect(readdirSync(temp)).toEqual([]);
  expect(processesOf(temp)).toEqual([]);
  const files = execFileSync('find', ['-type', 'f'], { cwd: person, encoding: 'utf8' });
  expect(files).toBe('./.claude/settings.json\n');
});
