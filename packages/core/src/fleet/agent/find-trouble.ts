import { messageOf } from '../../errors.ts';
import { type FreeSpace, measureFreeSpace, TOO_LITTLE_SPACE } from '../../files/free-space.ts';

/**
 * Returns why this machine cannot work on any job now, or undefined if it can. Never throws. The agent asks before it
 * takes a job, and after a job ended with an error: if the machine has trouble, another machine goes on with the job.
 * The trouble is measured, not taken from the words of a run, because a run can say anything.
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
