import { createWishCommand } from '../../fleet/change-machine.ts';

export const command = createWishCommand('work', {
  verb: 'resume',
  about: 'The machine takes work again.',
  said: (name) => `${name} takes work again`,
});
