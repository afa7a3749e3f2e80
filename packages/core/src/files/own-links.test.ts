import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlan, type Plan } from '../../../../test/rig/project/plan.ts';
import { loadOverview } from '../overview/overview.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory, saveTaskFields } from '../plan/stories.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import { saveCacheFile } from './cache-file.ts';

const ENTRY = {
  kind: 'Note',
  title: 'A note',
  body: '',
  time: '2026-01-01T00:00:00.000Z',
} as const;

/** A place outside the project that nothing may be written to. */
function createOutside({ root }: Plan): string {
  // Not in .saga; it goes with the project.
  const folder = join(root, 'outside');
  mkdirSync(folder, { recursive: true });
  return folder;
}

test.each(['cache', 'runs'])(
  'nothing is written through .saga/%s if it is a link',
  async (name) => {
    using plan = createPlan();
    plan.story('x');
    const outside = createOutside(plan);
    symlinkSync(outside, join(plan.paths.saga, name));
    const { problems, stories } = await loadOverview(plan.paths, {});
    expect(stories.map(({ id }) => id)).toEqual(['x']);
    expect(problems).toMatchObject([{ code: 'tracked-link', file: `.saga/${name}` }]);
    saveCacheFile(join(plan.paths.cache, 'overview.json'), 'k', {});
    const act = withProjectLock(plan.paths, () => 'done');
    if (name === 'runs') await expect(act).rejects.toMatchObject({ code: 'tracked-link' });
    else await act;
    expect(readdirSync(outside)).toEqual([]);
  },
);

test.each(['locks', 'sessions', '.gitignore'])('nor through .saga/runs/%s', async (name) => {
  using plan = createPlan();
  const outside = createOutside(plan);
  mkdirSync(plan.paths.runs, { recursive: true });
  symlinkSync(join(outside, 'target'), join(plan.paths.runs, name));
  await expect(withProjectLock(plan.paths, () => 'done')).rejects.toMatchObject({
    code: 'tracked-link',
  });
  expect(readdirSync(outside)).toEqual([]);
});

test('a story folder that is a link is neither read nor written, and is named', async () => {
  using plan = createPlan();
  plan.story('real', {}, { one: {} });
  mkdirSync(join(createOutside(plan), 'x'));
  symlinkSync(join(plan.paths.stories, 'real'), join(plan.paths.stories, 'x'));
  const { problems } = await loadOverview(plan.paths, {});
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'tracked-link', file: '.saga/stories/x', story: 'x' }),
  );
  expect(() => loadStory(plan.paths, 'x')).toThrow(
    expect.objectContaining({ code: 'tracked-link' }),
  );
  const save = saveTaskFields(plan.paths, 'x', 'one', { status: 'completed' });
  await expect(save).rejects.toMatchObject({ code: 'tracked-link' });
  expect(plan.read('.saga/stories/real/one.json')).toContain('pending');
});

test('a journal that is a link is neither shown nor copied', async () => {
  using plan = createPlan();
  plan.story('x');
  const secret = join(createOutside(plan), 'secret.txt');
  writeFileSync(secret, 'root:x:0:0\n');
  const journal = join(plan.paths.stories, 'x/journal.md');
  symlinkSync(secret, journal);
  const { journal: text, problems } = loadStory(plan.paths, 'x');
  expect(text).toBe('');
  expect(problems).toMatchObject([
    {
      code: 'tracked-link',
      file: '.saga/stories/x/journal.md',
      hint: expect.stringContaining('rm '),
    },
  ]);
  await expect(appendJournal(plan.paths, 'x', ENTRY)).rejects.toMatchObject({
    code: 'tracked-link',
  });
  expect(readFileSync(secret, 'utf8')).toBe('root:x:0:0\n');
  expect(existsSync(journal)).toBe(true);
});
