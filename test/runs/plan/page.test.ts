import type { Policy } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { eventually, openScreen, type Page, textOf } from '../../rig/screens/browser.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const story = (id: string, blockedBy: string[] = []) => ({
  ...{ id, title: `Story ${id}`, description: `About src/${id}.js.`, blockedBy },
  ...{ doneWhen: 'npm test passes', verify: 'true', writeFiles: [`src/${id}/**`] },
  tasks: [{ id: 'one', subject: `Write src/${id}.js`, description: `Export ${id}().` }],
});
const EPIC = {
  ...{ id: 'reset', title: 'Password reset', description: 'By mail.' },
  stories: [story('mail'), story('form', ['mail'])],
};

const propose: Policy = ({ callsSincePrompt, isSideQuestion }) => {
  if (isSideQuestion) return { text: 'Fine.' };
  if (callsSincePrompt.length === 0)
    return { calls: [{ tool: 'Read', input: { file_path: 'README.md' } }] };
  const isDone = callsSincePrompt.some((call) => call.tool === 'StructuredOutput');
  return isDone ? { text: 'Done.' } : { calls: [{ tool: 'StructuredOutput', input: EPIC }] };
};

const proposal = (page: Page) => page.getByRole('region', { name: 'Proposal' });

async function ask(page: Page, goal: string): Promise<void> {
  await page.getByLabel('What is to be done?').fill(goal);
  await page.getByRole('button', { name: 'Plan with Claude', exact: true }).last().click();
}

test('Claude Code proposes a plan on the page; steps are shown, and only a click creates it', async () => {
  await using it = await createWorkshop({ model: { policy: propose } });
  await using screen = await openScreen(it.paths, { env: it.environment });
  const page = await screen.open('/plan/new?by=claude');
  await ask(page, 'People can reset their password.');
  await proposal(page).getByText('Password reset: 2 stories proposed').waitFor();
  const steps = proposal(page).getByRole('list', { name: 'Steps' });
  await textOf(steps).toMatch(/writes the plan[\s\S]*Read [\s\S]*reads the repository/);
  expect((await screen.server.json<{ items: unknown[] }>('/api/epics')).items).toEqual([]);
  // A page that was reloaded finds it again.
  await page.reload();
  await proposal(page).getByRole('button', { name: 'Open it in the editor' }).click();
  const editor = page.getByRole('textbox', { name: 'The plan as Markdown' });
  await eventually(() => editor.inputValue()).toContain('# Password reset {#reset}');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Password reset' }).waitFor();
  expect(JSON.parse(it.read('.saga/epics/reset.json')).children).toHaveLength(2);
  expect(screen.complaints).toEqual([]);
});

test('a proposal that is under way is the only one, and can be stopped; nothing is left of it', async () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const never: Policy = ({ isSideQuestion }) => {
    if (isSideQuestion) return { text: 'Fine.' };
    isAsked();
    return { fault: { kind: 'hang' } };
  };
  await using it = await createWorkshop({ model: { policy: never } });
  await using screen = await openScreen(it.paths, { env: it.environment });
  const page = await screen.open('/plan/new?by=claude');
  await ask(page, 'Anything');
  await asked;
  const second = await screen.server.act('/api/plan/proposal', { goal: 'More', maxUsd: 1 });
  expect(second).toMatchObject({ status: 409, text: expect.stringContaining('already') });
  await page.getByRole('button', { name: 'Stop' }).click();
  await proposal(page).getByText('Stopped. Nothing was changed.').waitFor();
});

test('what keeps Claude Code from planning is said with what to do', async () => {
  await using it = await createWorkshop({ model: { policy: () => ({ text: 'No.' }) } });
  await using screen = await openScreen(it.paths, { env: { ...it.environment, PATH: '/nowhere' } });
  const page = await screen.open('/plan/new?by=claude');
  await ask(page, 'Anything');
  await eventually(() => proposal(page).textContent()).toMatch(/✗[\s\S]*(claude|Claude)/);
  for (const body of [{ goal: ' ', maxUsd: 1 }, { goal: 'x', maxUsd: 0 }, { goal: 'x' }]) {
    expect((await screen.server.act('/api/plan/proposal', body)).status).toBe(400);
  }
});
