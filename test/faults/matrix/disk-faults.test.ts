import { describe } from 'vitest';
import { findMountRefusal } from '../../rig/faults/tiny-project.ts';
import { prove } from './prove.ts';
import { diskFaults } from './scenes/disk.ts';
import { playOnSmallDisk } from './small-disk.ts';

const refused = await findMountRefusal();
if (refused !== undefined) console.info(`Faults of the disk are not played here: ${refused}`);

describe.skipIf(refused !== undefined)('on a small disk', () => prove(diskFaults, playOnSmallDisk));
