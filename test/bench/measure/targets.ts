import { NAIVE } from '../commands/native-lists.ts';
import { SEEDS } from '../peers/peers.ts';
import { type Results, UNKNOWN } from './results.ts';
import {
  LARGEST,
  LIST,
  READ_ALL,
  READY,
  READY_COLD,
  STATUS_GIT_COLD,
  TASK_POP,
  TASK_READY,
  VERSION,
} from './rows.ts';
import { formatMemory, formatRatio, formatTime } from './tables.ts';

/** One figure that must not be exceeded. */
export interface Target {
  about: string;
  found: string;
  limit: string;
  met: boolean;
}

const VERSION_OVER_NODE = 20;
const COLD_OVER_NODE = 250;
const STATUS_OVER_NODE = 400;
/** Against a script that reads and parses the same list, and takes no lock. */
const OVER_NAIVE = 1.75;
const MEMORY = 90;
const INSTALL = 15;

export function checkTargets(results: Results, megabytesInstalled: number): Target[] {
  return [
    checkOverNode(results, VERSION, VERSION_OVER_NODE),
    ...checkAgainstSeeds(results, READY(LARGEST)),
    checkOverNode(results, READY_COLD(LARGEST), COLD_OVER_NODE),
    checkOverNode(results, STATUS_GIT_COLD, STATUS_OVER_NODE),
    checkAgainstNaive(results, TASK_READY(LARGEST)),
    checkAgainstNaive(results, TASK_POP(LARGEST)),
    checkMemory(results, [READY(LARGEST), READY_COLD(LARGEST), LIST(LARGEST)]),
    {
      about: 'published install',
      found: `${megabytesInstalled.toFixed(2)} MB`,
      limit: formatMemory(INSTALL),
      met: megabytesInstalled <= INSTALL,
    },
  ];
}

function checkOverNode(results: Results, row: string, limit: number): Target {
  const over = results.judged(results.saga(row)) - results.judged(results.bare);
  return {
    about: `saga ${row}`,
    found: `${formatTime(over)} over node`,
    limit: formatTime(limit),
    met: over <= limit,
  };
}

function checkAgainstNaive(results: Results, row: string): Target {
  const naive = results.of(NAIVE, READ_ALL(LARGEST)) ?? UNKNOWN;
  const ratio = results.judged(results.saga(row)) / results.judged(naive);
  return {
    about: `saga ${row}`,
    found: `${formatRatio(ratio)} a script that only reads`,
    limit: formatRatio(OVER_NAIVE),
    met: ratio <= OVER_NAIVE,
  };
}

/** Only when the peers were measured. */
function checkAgainstSeeds(results: Results, row: string): Target[] {
  const seeds = results.of(SEEDS, row);
  if (!seeds) return [];
  const ratio = results.judged(results.saga(row)) / results.judged(seeds);
  return [
    {
      about: `saga ${row}`,
      found: `${formatRatio(ratio)} seeds`,
      limit: formatRatio(1),
      met: ratio <= 1,
    },
  ];
}

function checkMemory(results: Results, rows: readonly string[]): Target {
  const peak = Math.max(...rows.map((row) => results.saga(row).memory));
  return {
    about: 'resident memory at 10k',
    found: formatMemory(peak),
    limit: formatMemory(MEMORY),
    met: peak <= MEMORY,
  };
}
