import { afterAll, test as anyTest, describe, expect } from 'vitest';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { MODES, type Mode, type Scene } from './attack.ts';
import { loadTable, mergeTable, saveTable, type Table } from './expected.ts';
import { SCENES } from './list.ts';
import { HANGS_AFTER, play } from './play.ts';

/**
 * Plays every attack and compares how it ended with expected.json. SAGA_ATTACKS=update writes that table
 * anew; SAGA_ATTACKS=show prints what was seen. A project of vitest.config.ts names the modes that it plays.
 */
const isUpdate = process.env.SAGA_ATTACKS?.includes('update') ?? false;
const modes = process.env.SAGA_ATTACK_MODES?.split(' ') ?? MODES;
const isAsked = (mode: Mode) => isUpdate || modes.includes(mode);
const maySilence = process.env.SAGA_ATTACKS?.includes('silent') ?? false;
const refusal = await findSandboxRefusal();
const expected = loadTable();
const seen: Table = {};

afterAll(() => {
  if (!isUpdate) return;
  const ids = SCENES.flatMap(({ attacks }) => attacks.map(({ id }) => id));
  saveTable(mergeTable(loadTable(), seen, { ids, maySilence }));
});

/** auto does the same as required where the sandbox works, so a few scenes prove it. */
const SAMPLE = ['home', 'refs', 'processes'];

const isPlayed = ({ id, hasRun, isRoot }: Scene, mode: Mode) => {
  // Quick, and no walls are in its way.
  if (hasRun === false) return mode === 'off';
  if (!isAsked(mode)) return false;
  if (isRoot && mode === 'off') return process.getuid?.() === 0;
  return mode !== 'auto' || SAMPLE.includes(id);
};

describe.each(MODES)('sandbox %s', (mode) => {
  const test = anyTest.skipIf(mode !== 'off' && refusal !== undefined);
  const scenes = SCENES.filter((scene) => isPlayed(scene, mode));
  test.concurrent.each(scenes.map((scene) => [scene.id, scene] as const))(
    '%s',
    { timeout: 2 * HANGS_AFTER },
    async (_, scene) => {
      const verdicts = await play(scene, mode);
      for (const [id, verdict] of Object.entries(verdicts)) {
        seen[id] = { ...seen[id], [mode]: verdict };
      }
      if (isUpdate) return;
      const wanted = scene.attacks.map(({ id }) => [id, expected[id]?.[mode]]);
      expect(verdicts).toEqual(Object.fromEntries(wanted));
    },
  );
});
