import { ensureBuilt } from '../../../scripts/build/ensure-built.ts';
import { KILL_POINTS, OTHER_FAULTS } from './list.ts';
import { play } from './play.ts';

/** Plays the fault with the given id, and prints what came of it. */
const [, , wanted = ''] = process.argv;
const fault = [...KILL_POINTS, ...OTHER_FAULTS].find(({ id }) => id === wanted);
if (!fault) throw new Error(`There is no fault "${wanted}".`);
ensureBuilt();
process.stdout.write(`${JSON.stringify(await play(fault))}\n`);
