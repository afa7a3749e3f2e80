import { createWishCommand } from '../../fleet/change-machine.ts';

export const command = createWishCommand('paused', {
  verb: 'pause',
  about: 'The machine finishes what it works on and takes nothing new, until saga fleet resume.',
  said: (name) => `${name} takes nothing new; to go on: saga fleet resume ${name}`,
});
