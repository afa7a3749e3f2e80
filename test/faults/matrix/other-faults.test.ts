import { OTHER_FAULTS } from './list.ts';
import { play } from './play.ts';
import { prove } from './prove.ts';
import { diskFaults } from './scenes/disk.ts';

prove(
  OTHER_FAULTS.filter((fault) => !diskFaults.includes(fault)),
  play,
);
