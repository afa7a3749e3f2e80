import type { EpicRunAnswer, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { expect, test } from 'vitest';
import { RunAnswers } from './run-answers.ts';

const row = (id: string, note: string): RunRow => ({
  ...{ id, title: id, epic: 'shop', state: 'ready', note, needs: [], isCritical: false },
  ...{
    progress: { completed: 0, total: 1 },
    session: null,
    starts: 0,
    cost: { costUsd: 0 },
    spans: [],
  },
  ...{ work: null, expected: null },
});

test('a page that asks again gets only the stories that changed', async () => {
  let stories = [row('a', '1'), row('b', '1')];
  const rest = { state: 'running', run: null, holdUps: [], criticalPath: [] } as const;
  const answers = new RunAnswers({
    find: async (): Promise<EpicRunAnswer> => ({ ...rest, holdUps: [], criticalPath: [], stories }),
  });
  const namesOf = async (since?: number) => {
    const { stories: rows, isPart, version } = await answers.find('shop', since);
    return { ids: rows.map(({ id }) => id).join(), isPart, version };
  };
  const first = await namesOf();
  expect(first).toMatchObject({ ids: 'a,b', isPart: false });
  expect(await namesOf(first.version)).toEqual({ ids: '', isPart: true, version: first.version });

  stories = [row('a', '1'), row('b', '2')];
  const second = await namesOf(first.version);
  expect(second).toMatchObject({ ids: 'b', isPart: true });
  expect(second.version).toBeGreaterThan(first.version);
  // A page that missed an answer gets that change too.
  stories = [row('a', '3'), row('b', '2')];
  expect(await namesOf(first.version)).toMatchObject({ ids: 'a,b', isPart: true });

  // Another order, and the version of another server: all again.
  stories = stories.toReversed();
  expect(await namesOf(second.version)).toMatchObject({ ids: 'b,a', isPart: false });
  expect(await namesOf(1)).toMatchObject({ ids: 'b,a', isPart: false });
});
