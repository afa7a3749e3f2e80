import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash, misbehave } from '../rig/worker/misbehave.ts';
import { createWorkshop, type Workshop } from '../rig/worker/workshop.ts';

const typesOf = (it: Workshop) => it.events().map(({ type }) => type);

/** A program that takes the client's place and says what a client would. */
function replaceClient(it: Workshop, script: string): Record<string, string> {
  const path = join(it.home, 'claude');
  const lead = `#!/bin/sh\ncase "$1" in --version) echo '2.1.325 (Claude Code)'; exit;; esac\n`;
  writeFileSync(path, `${lead}read -r prompt\n${script}`, { mode: 0o755 });
  return { SAGA_WORKER_CLAUDE_PATH: path };
}

const say = (event: object) => `printf '%s\\n' '${JSON.stringify(event)}'\n`;
const INIT = { type: 'system', subtype: 'init', tools: ['TaskList', 'TaskGet', 'TaskUpdate'] };
const CALL = { type: 'tool_use', id: 'call-1', name: 'Bash', input: { command: 'id' } };
const RESULT = { type: 'tool_result', tool_use_id: 'call-1', content: 'root' };
const END = { type: 'result', subtype: 'success', is_error: false, result: 'Done.' };

test('a real client whose hooks are off is stopped before any tool runs', async () => {
  await using it = await createWorkshop({ model: { policy: misbehave([bash('touch ran')]) } });
  it.story('cart', {}, { one: {} });
  const ended = await it.saga(['worker', 'cart'], { env: { CLAUDE_CODE_SAFE_MODE: '1' } });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('[guard-silent]');
  expect(ended.stderr).toContain('Something prevents hooks from running');
  expect(typesOf(it).filter((type) => type === 'run:start')).toHaveLength(1);
  expect(typesOf(it)).not.toContain('run:result');
  expect(existsSync(join(it.root, '../project.stories/cart/ran'))).toBe(false);
  expect(JSON.parse(it.readStory('cart', 'one.json'))).toMatchObject({ status: 'pending' });
});

test('one that asks about the prompt and then about no call is stopped at its first result', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  const askAboutPrompt = [
    'for a in "$@"; do case "$a" in *allowedHttpHookUrls*) s="$a";; esac; done',
    'url=$(printf %s "$s" | grep -o "http://127.0.0.1:[0-9]*/hook" | head -1)',
    `curl -s -H "Authorization: Bearer $SAGA_HOOK_TOKEN" -d '{"hook_event_name":"UserPromptSubmit"}' "$url" > /dev/null`,
    '',
  ].join('\n');
  const told = [
    INIT,
    { type: 'assistant', message: { id: 'm', content: [CALL] } },
    { type: 'user', message: { content: [RESULT] } },
    END,
  ].map(say);
  const ended = await it.saga(['worker', 'cart'], {
    env: replaceClient(it, askAboutPrompt + told.join('')),
  });
  expect(ended.stderr).toContain('a tool ran without asking the guard (call-1)');
  expect(ended.stderr).toContain('[guard-silent]');
  expect(ended.code).toBe(1);
});

test('one that asks about nothing is found out, though it is over by then', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  const ended = await it.saga(['worker', 'cart'], {
    env: replaceClient(it, [INIT, END].map(say).join('')),
  });
  expect(ended.stderr).toContain('[guard-silent]');
  expect(ended.code).toBe(1);
});
