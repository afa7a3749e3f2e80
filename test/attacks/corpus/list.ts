import type { Scene } from './attack.ts';
import { cloneScenes } from './scenes/clones.ts';
import { doorScenes } from './scenes/doors.ts';
import { fileTools, worktreeLink } from './scenes/file-tools.ts';
import { gateScenes } from './scenes/gate.ts';
import { gitScenes } from './scenes/git.ts';
import { lfsScenes } from './scenes/lfs.ts';
import { machineScenes } from './scenes/machine.ts';
import { nestedScenes } from './scenes/nested.ts';
import { nextRunScenes } from './scenes/next-run.ts';
import { oddFileScenes } from './scenes/odd-files.ts';
import { journal, pipeAsJournal, pipeBesidePlan, plan, planAsLink } from './scenes/plan.ts';
import { processScenes } from './scenes/processes.ts';
import { secretScenes } from './scenes/secrets.ts';
import { wallScenes } from './scenes/walls.ts';

/** All attacks, in the order of the guide. */
export const SCENES: readonly Scene[] = [
  fileTools,
  worktreeLink,
  plan,
  planAsLink,
  pipeBesidePlan,
  pipeAsJournal,
  journal,
  ...oddFileScenes,
  ...gateScenes,
  ...gitScenes,
  ...nestedScenes,
  ...nextRunScenes,
  ...machineScenes,
  ...processScenes,
  ...secretScenes,
  ...doorScenes,
  ...lfsScenes,
  ...wallScenes,
  ...cloneScenes,
];
