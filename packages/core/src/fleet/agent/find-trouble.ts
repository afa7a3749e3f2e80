import { messageOf } from '../../errors.ts';
import { type FreeSpace, measureFreeSpace, TOO_LITTLE_SPACE } from '../../files/free-space.ts';

/**
 * Returns why this machine cannot work on any job now, or undefined if it can. Never throws. Asked before a
 * job is taken, and when one ended with an error: then the machine is to blame, and another one goes on. It is
 * measured, not read from what a run said: a run can say anything.
 */
export function findTrouble(
  data: string,
  measure: (folder: string) => FreeSpace = measureFreeSpace,
): string | undefined {
  try {
    const { bytes, told } = measure(data);
    return bytes < TOO_LITTLE_SPACE ? `its disk is full: ${told} free in ${data}` : undefined;
  } catch (error) {
    return `the disk of ${data} does not answer: ${messageOf(error)}`;
  }
}
