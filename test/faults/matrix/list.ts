import type { Fault } from './fault.ts';
import { clientFaults } from './scenes/client.ts';
import { diskFaults } from './scenes/disk.ts';
import { killPoints } from './scenes/kill-points.ts';
import { machineFaults } from './scenes/machine.ts';
import { peopleFaults } from './scenes/people.ts';
import { remoteFaults } from './scenes/remote.ts';

/** Moments at which a worker is killed, in the order of docs/reliability.md. */
export const KILL_POINTS: readonly Fault[] = killPoints;

/** All other faults that the tests play, in the order of docs/reliability.md. */
export const OTHER_FAULTS: readonly Fault[] = [
  ...clientFaults,
  ...machineFaults,
  ...diskFaults,
  ...remoteFaults,
  ...peopleFaults,
];
