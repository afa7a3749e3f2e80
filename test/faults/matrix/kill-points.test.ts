import { describe } from 'vitest';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { enclosedKillPoints, killPoints } from './kinds/kill-points.ts';
import { play } from './play.ts';
import { prove } from './prove.ts';

prove(killPoints, play);

const refused = await findSandboxRefusal();
if (refused !== undefined) console.info(`Kills in the sandbox are not played here: ${refused}`);

describe.skipIf(refused !== undefined)('enclosed', () => prove(enclosedKillPoints, play));
