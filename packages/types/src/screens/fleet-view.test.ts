import { expect, test } from 'vitest';
import { type FleetMachine, stateOfMachine } from './fleet-view.ts';

test.each<[FleetMachine['state'], string, string]>([
  ['working', '●', 'running'],
  ['idle', '✓', 'done'],
  ['unfit', '!', 'needs-you'],
  ['paused', '◌', 'waiting'],
  ['draining', '◐', 'waiting'],
  ['removed', '–', 'plain'],
  ['lost', '✗', 'needs-you'],
])('a machine that is %s is shown with its word, %s and the tone %s', (state, glyph, tone) => {
  expect(stateOfMachine({ state })).toMatchObject({ word: state, glyph, tone });
});
