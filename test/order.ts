import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PROJECTS } from '../scripts/run-steps.ts';

/** What waits for programs begins first; what calculates fills the time that it leaves. Else as vitest does it. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
