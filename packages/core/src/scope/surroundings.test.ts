import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { describeSurroundings } from './surroundings.ts';

test('surroundings are what the settings name, with the home folder in place of ~', () => {
  const { sandbox } = Config.parse({
    sandbox: {
      ...{ hide: ['~/.ssh', '/etc/secret'], caches: ['~/.npm'], allow: ['~/go', '/srv/data'] },
      ...{ network: 'list', domains: ['example.org'] },
    },
  });
  expect(describeSurroundings(sandbox, '/home/ada', [])).toEqual({
    homeFolder: '/home/ada',
    hidden: ['/home/ada/.ssh', '/etc/secret'],
    replaced: ['/home/ada/.npm'],
    writable: ['/home/ada/go', '/srv/data'],
    reach: { network: 'list', domains: ['example.org'] },
  });
});

test('secrets of SAGA are hidden, also if the settings hide nothing', () => {
  const { sandbox } = Config.parse({ sandbox: { hide: [] } });
  const { hidden } = describeSurroundings(sandbox, '/home/ada', ['/home/ada/.local/state/saga']);
  expect(hidden).toEqual(['/home/ada/.local/state/saga']);
});
