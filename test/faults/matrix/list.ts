import type { Fault } from './fault.ts';
import { clientFaults } from './kinds/client.ts';
import { diskFaults } from './kinds/disk.ts';
import { enclosedKillPoints, killPoints } from './kinds/kill-points.ts';
import { machineFaults } from './kinds/machine.ts';
import { peopleFaults } from './kinds/people.ts';
import { remoteFaults } from './kinds/remote.ts';

/** Moments at which a worker is killed, in the order of docs/reliability.md. */
export const KILL_POINTS: readonly Fault[] = [...killPoints, ...enclosedKillPoints];

/** All other faults that the tests play, in the order of docs/reliability.md. */
export const OTHER_FAULTS: readonly Fault[] = [
  ...clientFaults,
  ...machineFaults,
  ...diskFaults,
  ...remoteFaults,
  ...peopleFaults,
];
