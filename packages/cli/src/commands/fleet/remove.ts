import { createWishCommand } from '../../fleet/change-machine.ts';

export const command = createWishCommand('removed', {
  verb: 'remove',
  about: `The machine stops what it works on, gives it back for others, and its agent ends. A machine that is gone is only
taken off the list.`,
  said: (name) => `${name} leaves the fleet; others go on with what it worked on`,
});
