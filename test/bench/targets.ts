import { SEEDS } from './peers/peers.ts';
import type { Results } from './results.ts';
import { LARGEST, LIST, READY, READY_COLD, VERSION } from './rows.ts';
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
const MEMORY = 90;
const INSTALL = 15;

export function checkTargets(results: Results, megabytesInstalled: number): Target[] {
  return [
    checkOverNode(results, VERSION, VERSION_OVER_NODE),
    ...checkAgainstSeeds(results, READY(LARGEST)),
    checkOverNode(results, READY_COLD(LARGEST), COLD_OVER_NODE),
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
