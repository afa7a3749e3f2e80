/** `worker.maxCycles` is `SAGA_WORKER_MAX_CYCLES` in the environment. */
export function formatConfigVariable(key: string): string {
  return `SAGA_${key
    .replace(/([A-Z])/g, '_$1')
    .replace('.', '_')
    .toUpperCase()}`;
}
