import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, update } from '../support/tasks-call-tools.ts';

contract('TaskUpdate merges metadata key by key, and null deletes a key', {}, async (stage) => {
  stage.writeTask('a', { metadata: { kept: 1, changed: { old: true }, gone: 'x' } });
  const metadata = { changed: { new: true }, gone: null, added: [1] };
  const { shown, results } = await callTools(stage, [update('a', { metadata })]);
  expect(shown).toEqual(['Updated task #a metadata']);
  expect(results[0]).toMatchObject({ updatedFields: ['metadata'] });
  expect(stage.readTask('a').metadata).toEqual({ kept: 1, changed: { new: true }, added: [1] });
});
