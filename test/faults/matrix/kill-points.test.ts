import { KILL_POINTS } from './list.ts';
import { play } from './play.ts';
import { prove } from './prove.ts';

prove(KILL_POINTS, play);
