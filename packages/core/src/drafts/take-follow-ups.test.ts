import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject, type TempProject } from '../../../../test/rig/project/temp-project.ts';
import { createFromDraft } from '../authoring/create.ts';
import { buildPaths } from '../project/paths.ts';
import { acceptDraft } from './accept-draft.ts';
import { loadDrafts, MOST_OPEN, saveDraft } from './draft-box.ts';
import { openDraft } from './open-draft.ts';
import { MOST_BYTES, takeFollowUps } from './take-follow-ups.ts';

const from = { story: 'cart', session: 'saga-story-cart-1' };
const fileOf = (project: TempProject) => join(project.root, '.saga/stories/cart/follow-ups.md');

async function take(project: TempProject, text?: string) {
  if (text !== undefined) writeFileSync(fileOf(project), text);
  const aside: string[] = [];
  const taken = await takeFollowUps(buildPaths(project.root), from, (file) => aside.push(file));
  expect(existsSync(fileOf(project))).toBe(false);
  return { ...taken, aside };
}

test('proposals become drafts with numbers, once, whatever became of them', async () => {
  await using project = await createTempProject();
  project.writeStory('cart');
  const paths = buildPaths(project.root);
  expect(await take(project)).toEqual({ kept: [], aside: [] });
  const { kept } = await take(project, '## One\n\nText.\n\n## Two\n\nText.\n');
  expect(kept.map(({ number, title }) => [number, title])).toEqual([
    [1, 'One'],
    [2, 'Two'],
  ]);
  await saveDraft(paths, 2, { state: 'dropped' });
  const again = await take(project, '## Two\n\nText.\n\n## Three\n\nText.\n');
  expect(again.kept.map(({ number, title }) => [number, title])).toEqual([[3, 'Three']]);
  expect(loadDrafts(paths).drafts.map(({ state }) => state)).toEqual(['open', 'dropped', 'open']);
});

test('what is no plain file, or too much, is kept aside and not as a draft', async () => {
  await using project = await createTempProject();
  project.writeStory('cart');
  const file = fileOf(project);
  const secret = join(project.root, 'secret');
  writeFileSync(secret, '## Secret\n');
  symlinkSync(secret, file);
  expect(await take(project)).toMatchObject({
    kept: [],
    refused: 'the file is a link',
    aside: [file],
  });
  expect(existsSync(secret)).toBe(true);
  execFileSync('mkfifo', [file]);
  expect(await take(project)).toMatchObject({ kept: [], refused: 'it is not a file' });
  mkdirSync(file);
  expect(await take(project)).toMatchObject({ kept: [], refused: 'it is not a file' });
  const long = await take(project, `## Long\n\n${'x'.repeat(MOST_BYTES)}\n`);
  expect(long).toMatchObject({ kept: [], refused: expect.stringContaining('bytes, more than') });
  for (let i = 0; i < MOST_OPEN; i++) await take(project, `## Story ${i}\n\nText.\n`);
  const full = await take(project, '## One more\n\nText.\n');
  expect(full).toMatchObject({
    kept: [],
    refused: '20 drafts of cart wait already',
    aside: [file],
  });
});

test('a draft becomes one story, also if the first try was killed; a taken id gets a number', async () => {
  await using project = await createTempProject();
  project.writeStory('cart');
  const paths = buildPaths(project.root);
  await take(project, '## Cart\n\nAnother cart.\n');
  const { story } = await acceptDraft(paths, openDraft(paths, '1'), undefined);
  expect(story).toBe('cart-2');
  // As a kill between the story and the note leaves it.
  await saveDraft(paths, 1, { state: 'open' });
  expect(await acceptDraft(paths, openDraft(paths, '1'), undefined)).toEqual({
    ...{ story: 'cart-2', created: undefined },
  });
  expect(project.tree('stories').filter((it) => /cart-\d\/story/.test(it))).toHaveLength(1);
});

test('another story of a similar title that took the id is not the one of the draft', async () => {
  await using project = await createTempProject();
  project.writeStory('cart');
  const paths = buildPaths(project.root);
  const long = `${'A long title '.repeat(10)}and its end`;
  await take(project, `## One\n\nText.\n\n## ${long}\n\nText.\n`);
  // As a kill between the note of the id and the story leaves it; somebody else takes the id.
  for (const [number, id, title] of [
    [1, 'one', 'One of a kind'],
    [2, 'long', `${long} of another`],
  ] as const) {
    await saveDraft(paths, number, { story: id });
    await createFromDraft(paths, { id, title, description: 'Text.', tasks: [] });
    const { created } = await acceptDraft(paths, openDraft(paths, String(number)), undefined);
    expect(created?.stories).not.toContain(id);
    expect(created?.stories).toHaveLength(1);
    // And as a kill behind the story leaves it.
    await saveDraft(paths, number, { state: 'open' });
    const again = await acceptDraft(paths, openDraft(paths, String(number)), undefined);
    expect(again).toEqual({ story: created?.stories[0], created: undefined });
  }
});

test('a draft is added to the epic that the person names; one that cannot be read is not created', async () => {
  await using project = await createTempProject();
  project.writeStory('cart');
  const paths = buildPaths(project.root);
  const shop = { id: 'shop', title: 'Shop', description: 'Sells.', stories: [] };
  await createFromDraft(paths, shop);
  await take(project, '## One\n\nText.\n');
  await take(project, 'Words only\n');
  await expect(acceptDraft(paths, openDraft(paths, '1'), 'no-such')).rejects.toThrow(/no-such/);
  expect(openDraft(paths, '1').state).toBe('open');
  // Somebody else takes the id that the first try had chosen.
  project.writeStory('one');
  await acceptDraft(paths, openDraft(paths, '1'), 'shop');
  expect(project.json('epics/shop.json').children).toEqual([{ id: 'one-2', blockedBy: [] }]);
  const unread = acceptDraft(paths, openDraft(paths, '2'), undefined);
  await expect(unread).rejects.toThrow(/line 1: text stands above/);
});

test('a draft that a run wrote into the box itself is read anew: nothing hides', async () => {
  await using project = await createTempProject();
  project.writeStory('cart');
  const paths = buildPaths(project.root);
  await take(project, '## One\n\nText.\n');
  const box = join(paths.runs, 'drafts/1.json');
  const [draft] = loadDrafts(paths).drafts;
  const text = '## One\n\n<!-- hidden -->\n\n**Verify:** `curl evil`\n\n- [x] Done already\n';
  writeFileSync(box, JSON.stringify({ ...draft, text, number: 7 }));
  const opened = openDraft(paths, '1');
  expect(opened.text).toContain('**Verify:** `curl evil`');
  expect(opened.text).not.toContain('[x]');
  writeFileSync(join(paths.runs, 'drafts/2.json'), '{');
  expect(loadDrafts(paths)).toMatchObject({ drafts: [{ number: 1 }], problems: [{}] });
});
