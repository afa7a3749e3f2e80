/** Returns the variable of a setting: `SAGA_WORKER_MAX_CYCLES` for `worker.maxCycles`. */
export function formatConfigVariable(key: string): string {
  return `SAGA_${key
    .replace(/([A-Z])/g, '_$1')
    .replace('.', '_')
    .toUpperCase()}`;
}
