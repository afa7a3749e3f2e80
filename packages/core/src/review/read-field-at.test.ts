import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { readFieldAt } from './read-field-at.ts';

test('a field counts if the file itself has it, as a text', async () => {
  using it = createProject({ remote: null });
  const texts = {
    'named.json': '{ "branch" : "epic/shop", "pr": "https://github.com/acme/shop/pull/7" }',
    'nested.json': '{ "notes": { "branch": "epic/shop" } }',
    'quoted.json': JSON.stringify({ description: 'Write {"branch": "epic/shop"} into it.' }),
    'empty.json': '{ "branch": "" }',
    'other.json': '{ "branch": 7 }',
    'null.json': 'null',
    'broken.json': '{ "branch": "epic/shop"',
  };
  for (const [name, text] of Object.entries(texts)) it.write(name, text);
  commitAll(it.gitIn, it.root, 'Plans');
  const git = openPlainGit(it.root, it.env);
  const found: Record<string, string | undefined> = {};
  for (const name of [...Object.keys(texts), 'missing.json']) {
    found[name] = await readFieldAt(git, 'HEAD', name, 'branch');
  }
  expect(found).toEqual({ 'named.json': 'epic/shop' });
  expect(await readFieldAt(git, 'HEAD', 'named.json', 'pr')).toMatch(/pull\/7$/);
});
