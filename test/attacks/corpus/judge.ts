import type { Verdict } from './attack.ts';

export interface Finding {
  /** What the attack wanted is there. */
  stands: boolean;
  /** SAGA reported it. */
  isTold: boolean;
  /** The guard or the client refused one of its calls. */
  isDenied: boolean;
  isHarmless: boolean;
  /** There are walls, and a setting opens them for this. */
  isAllowed: boolean;
}

/** Decides how an attack ended. */
export function judge({ stands, isTold, isDenied, isHarmless, isAllowed }: Finding): Verdict {
  if (stands) {
    if (isTold) return 'noticed';
    if (isHarmless) return 'harmless';
    return isAllowed ? 'allowed' : 'SILENT';
  }
  return isTold && !isDenied ? 'undone' : 'refused';
}
