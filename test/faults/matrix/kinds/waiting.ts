import { join } from 'node:path';

/** The file that says that a task waits. */
export const markOf = (home: string, name: string) => join(home, '.config', `${name}-is-at-work`);

/** The first time, the task waits for ever and says so with a file. */
export const waiting = (...ids: string[]) => ({
  rehearsals: Object.fromEntries(
    ids.map((id) => {
      const mark = `"$HOME/.config/${id}-is-at-work"`;
      const command = `[ -e ${mark} ] || { touch ${mark}; exec sleep 1000; }`;
      return [id, { run: [command], commit: `${id}: Do ${id}`, write: { [`${id}.txt`]: 'x\n' } }];
    }),
  ),
});
