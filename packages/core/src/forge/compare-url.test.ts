import { expect, test } from 'vitest';
import { buildCompareUrl } from './compare-url.ts';

test.each([
  ['https://github.com/acme/widgets.git', 'https://github.com/acme/widgets/compare/main...story/x'],
  ['git@github.com:acme/widgets.git', 'https://github.com/acme/widgets/compare/main...story/x'],
  ['ssh://git@github.acme.com:2222/a/w', 'https://github.acme.com/a/w/compare/main...story/x'],
  [
    'https://ada:secret@github.com/acme/widgets',
    'https://github.com/acme/widgets/compare/main...story/x',
  ],
  ['git@gitlab.com:a/group/w.git', 'https://gitlab.com/a/group/w/-/compare/main...story/x'],
  ['https://codeberg.org/a/w.git', 'https://codeberg.org/a/w/compare/main...story/x'],
  ['git@bitbucket.org:a/w.git', 'https://bitbucket.org/a/w/branches/compare/story%2Fx%0Dmain'],
  ['/srv/git/widgets.git', undefined],
  ['https://git.example.com/a/w.git', undefined],
])('the page to compare: %s', (remote, expected) => {
  expect(buildCompareUrl(remote, 'main', 'story/x')).toBe(expected);
});
