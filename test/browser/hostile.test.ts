import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../rig/project/plan.ts';
import { openScreen, settle, textOf } from '../rig/screens/browser.ts';

/** Everything a model can write, as bad as it gets. */
const SCRIPT = '<script>window.harmed = 1</script>';
const EVIL = `<img src="http://127.0.0.1:9/x" onerror="window.harmed = 1"> ${SCRIPT} <b onclick="window.harmed=1">bold</b>`;
const MARKDOWN = `${EVIL}

[click](javascript:window.harmed=1) [data](data:text/html,${SCRIPT}) ![picture](http://127.0.0.1:9/spy.png)
<iframe src="http://127.0.0.1:9/"></iframe><style>body { display: none }</style>
<a href="javascript:window.harmed=1">raw</a> [fine](https://example.org/) <svg onload="window.harmed=1"></svg>
<form action="http://127.0.0.1:9/"><input name=x></form> [rel](//127.0.0.1:9/) [vb](vbscript:x)`;

const SESSION = 'saga-story-evil-1794745843991';

function createEvil(): Plan {
  const plan = createPlan();
  plan.story(
    'evil',
    {
      title: EVIL,
      description: MARKDOWN,
      guidance: MARKDOWN,
      labels: [EVIL],
      branch: EVIL,
      pr: 'javascript:window.harmed=1//pull/1',
      epic: 'epic',
    },
    { one: { subject: EVIL, description: MARKDOWN, activeForm: EVIL, status: 'in_progress' } },
  );
  plan.epic('epic', { evil: [] }, { title: EVIL, description: MARKDOWN, pr: 'data:text/html,x' });
  plan.write('.saga/stories/evil/journal.md', `## Blocker: ${EVIL}\n\n${MARKDOWN}\n`);
  const outputFile = join(plan.root, 'evil.jsonl');
  const time = '2026-11-15T12:00:00.000Z';
  const events = [
    { time, type: 'task:status', task: EVIL, to: 'in_progress' },
    { time, type: 'run:text', text: MARKDOWN },
    {
      ...{ time, type: 'run:tool', id: 't1', name: EVIL, kind: 'other', summary: EVIL },
      input: { command: EVIL, [EVIL]: EVIL },
    },
    { time, type: 'run:result', id: 't1', text: MARKDOWN, isError: true },
    { time, type: 'run:text', text: MARKDOWN, isThought: true },
    {
      ...{ time, type: 'run:tool', id: 't2', name: EVIL, kind: 'write', summary: EVIL, path: EVIL },
      ...{ changes: [{ removed: EVIL, added: MARKDOWN }], input: { [EVIL]: EVIL } },
    },
    { time, type: 'run:result', id: 't2', text: MARKDOWN, patch: [{ lines: 'none' }] },
    { time, type: 'guard:denied', tool: EVIL, reason: { not: 'a text' } },
    { time, type: 'evil:event', claude: null },
    { time: EVIL, type: 'run:noise', text: MARKDOWN },
    { time, type: 'gate:check', check: 'not an object' },
    { time, type: 'run:text', claude: { message: { content: [null, 7, { type: 'text' }] } } },
  ];
  writeFileSync(outputFile, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  plan.write(`.git/saga/runs/sessions/${SESSION}.json`, {
    version: 1,
    session: SESSION,
    story: 'evil',
    ...describeProcess(process.pid),
    outputFile,
    tmux: false,
    startedAt: time,
    endedAt: time,
    outcome: 'error',
    reason: EVIL,
    model: EVIL,
    cycle: 1,
    tokens: 1,
    costUsd: 1,
  });
  return plan;
}

test('what models write is shown as text and does nothing', async () => {
  using plan = createEvil();
  await using screen = await openScreen(plan.paths);
  const page = await screen.open('/');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const path of [
    '/',
    '/epics/epic',
    '/stories/evil',
    '/stories/evil?tasks=graph',
    `/sessions/${SESSION}`,
    '/sessions',
  ]) {
    await screen.visit(page, path);
    const seen = page.locator('main');
    await textOf(seen).toContain('onerror=');
    await settle(page);
    for (const fold of await page.locator('summary').all()) await fold.click();
    // What is open is not found any more, so the next one is always the first.
    const closed = page.locator('[aria-expanded=false]');
    for (let left = await closed.count(); left > 0; left--) await closed.first().click();
    await textOf(seen).toContain('onerror=');
    // What would do harm comes later than what shows it, and not later than a request made after it.
    await settle(page);
    await page.evaluate("fetch('/icon.svg').then((it) => it.text())");
    await settle(page);
    const found = await page.evaluate(`({
      harmed: window.harmed,
      shown: document.body.textContent.includes('onerror='),
      elements: document.querySelectorAll('main :is(script, iframe, img, style, form[action], [onclick], [onerror])').length,
      links: [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')).filter((it) => !/^(\\/(?!\\/)|#|\\?[\\w=&-]*$|https?:)/.test(it)),
      rel: [...document.querySelectorAll('a[href^="http"]')].filter((a) => !a.rel.includes('noopener')).length,
    })`);
    expect({ path, ...(found as object) }).toEqual({
      path,
      harmed: undefined,
      shown: true,
      elements: 0,
      links: [],
      rel: 0,
    });
  }
  expect(asked.filter((url) => !url.startsWith(screen.origin))).toEqual([]);
  expect(screen.complaints).toEqual([]);
});
