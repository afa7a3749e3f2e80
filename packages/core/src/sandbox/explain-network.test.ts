import { expect, test } from 'vitest';
import { explainNetwork } from './explain-network.ts';

const REFUSED = ['registry.example:443', 'db.example:5432'];

test.each([
  [
    'npm error 403 GET https://registry.example/x',
    'model',
    ['registry.example:443'],
    'registry.example',
  ],
  ['cannot reach db.example', 'list', ['db.example:5432'], 'a.example,db.example:5432'],
  [
    'curl: (56) CONNECT tunnel failed, response 403',
    'list',
    REFUSED,
    'a.example,registry.example,db.example:5432',
  ],
] as const)('%s', (output, network, refused, list) => {
  const domains = network === 'list' ? ['a.example'] : [];
  const first = network === 'list' ? '' : 'saga config sandbox.network list; ';
  expect(explainNetwork(output, REFUSED, { network, domains })).toBe(
    `The sandbox may be the reason: it refused ${refused.join(', ')}. If the command needs that: ${first}saga config sandbox.domains "${list}"`,
  );
});

test('an ordinary failure is not blamed on the network', () => {
  const settings = { network: 'model' as const, domains: [] };
  expect(explainNetwork('1 test failed', REFUSED, settings)).toBeUndefined();
  expect(explainNetwork('403 Forbidden', [], settings)).toBeUndefined();
});
