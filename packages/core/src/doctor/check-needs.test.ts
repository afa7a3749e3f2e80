import { Config } from '@saga-ai/types/config';
import { ok, warning } from '@saga-ai/types/screens/finding';
import { expect, test } from 'vitest';
import { claude } from '../agents/claude/agent.ts';
import { SagaError } from '../errors.ts';
import type { Need } from '../needs/need.ts';
import { checkNeeds, type Look } from './check-needs.ts';

const place = { root: '/', config: Config.parse({}), env: {}, agent: claude };

function createNeeds() {
  const asked: string[] = [];
  const build = (name: string, after?: Need, error?: SagaError): Need => ({
    name,
    after,
    async check(_, ground) {
      asked.push(ground ? `${name} on ${ground.what}` : name);
      if (error) throw error;
      return { what: `${name}!` };
    },
  });
  return { asked, build };
}

test('a need is checked once and after its ground, also if two others stand on it', async () => {
  const { asked, build } = createNeeds();
  const ground = build('ground');
  const needs = [build('left', ground), build('right', ground), ground];
  const findings = await checkNeeds(needs, place);
  expect(findings).toEqual([ok('left', 'left!'), ok('right', 'right!'), ok('ground', 'ground!')]);
  expect(asked).toEqual(['ground', 'left on ground!', 'right on ground!']);
});

test('what stands on a need that is not met is neither checked nor listed', async () => {
  const { asked, build } = createNeeds();
  const ground = build('ground', undefined, new SagaError('missing-program', 'Gone.', 'Get it.'));
  const house = build('house', ground);
  const findings = await checkNeeds([ground, house, build('roof', house)], place);
  expect(findings).toEqual([
    { name: 'ground', state: 'problem', message: 'Gone.', fix: 'Get it.' },
  ]);
  expect(asked).toEqual(['ground']);
});

test('a look adds to what was found, or stands instead of a check', async () => {
  const { asked, build } = createNeeds();
  const [seen, left] = [build('seen'), build('left')];
  const more = warning('seen', 'and more');
  const looks = new Map<Need, Look>([
    [seen, { describe: (finding) => [finding, more] }],
    [left, { instead: warning('left', 'not checked') }],
  ]);
  expect(await checkNeeds([seen, left], place, looks)).toEqual([
    ok('seen', 'seen!'),
    more,
    warning('left', 'not checked'),
  ]);
  expect(asked).toEqual(['seen']);
});

test('a look that fails is a problem of its need, and the other lines are there all the same', async () => {
  const { build } = createNeeds();
  const seen = build('seen');
  const describe = () => Promise.reject(new SagaError('missing-program', 'Breaks.', 'Mend it.'));
  const findings = await checkNeeds([seen, build('other')], place, new Map([[seen, { describe }]]));
  expect(findings.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'seen problem',
    'other ok',
  ]);
});
