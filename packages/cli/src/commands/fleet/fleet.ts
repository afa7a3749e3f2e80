import type { Command } from '../../command.ts';

export const command: Command = {
  about: `A fleet is several machines that share the work of a repository. Each runs saga agent; saga run --engine hands
stories and epics over to them. They find each other through the engine, a PostgreSQL database (engine.url).
saga fleet alone lists the machines and the queue.`,
  usual: 'list',
  verbs: [
    {
      name: 'list',
      summary: 'list the machines, what each works on, and why jobs wait',
      load: () => import('./list.ts'),
    },
    {
      name: 'init',
      summary: 'prepare the database of a fleet',
      load: () => import('./init.ts'),
    },
    { name: 'pause', summary: 'let a machine take nothing new', load: () => import('./pause.ts') },
    { name: 'resume', summary: 'let a machine take work again', load: () => import('./resume.ts') },
    {
      name: 'drain',
      summary: 'let a machine finish its work and leave',
      load: () => import('./drain.ts'),
    },
    {
      name: 'remove',
      summary: 'take a machine out of the fleet now',
      load: () => import('./remove.ts'),
    },
  ],
};
