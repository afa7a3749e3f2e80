import { createWishCommand } from '../../fleet/change-machine.ts';

export const command = createWishCommand('draining', {
  verb: 'drain',
  about: 'The machine finishes what it works on, takes nothing new, and its agent ends.',
  said: (name) => `${name} finishes what it works on, and its agent ends`,
});
