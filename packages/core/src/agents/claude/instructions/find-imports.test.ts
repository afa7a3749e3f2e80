import { expect, test } from 'vitest';
import { findImports } from './find-imports.ts';

test.each([
  ['@docs/a.md', ['docs/a.md']],
  ['See @docs/a.md and @./b.md\n- @../c.md', ['docs/a.md', './b.md', '../c.md']],
  ['**@docs/a.md**, _@my_rules.md_ and *@x.md*', ['docs/a.md', 'my_rules.md', 'x.md']],
  ['| @docs/a.md | @b.md|', ['docs/a.md', 'b.md']],
  ['> @docs/a.md\n# @b.md\n<p>@c.md</p>', ['docs/a.md', 'b.md', 'c.md']],
  ['@docs/a.md#part @with\\ space.md @README', ['docs/a.md', 'with space.md', 'README']],
  // The client looks for a file of exactly this name.
  ['@docs/a.md, @b.md.', ['docs/a.md,', 'b.md.']],
])('%j imports what it names', (text, paths) => expect(findImports(text)).toEqual(paths));

test.each([
  ['me@example.org (@docs/a.md) @~/notes.md @/etc/rules.md @@x @#x'],
  ['`@docs/a.md` and ``a ` @docs/b.md``'],
  ['```\n@docs/a.md\n```'],
  ['- ```sh\n  @docs/a.md\n  ```js\n  @docs/b.md\n  ```'],
  ['~~~~\n```\n@docs/a.md\n~~~\n@docs/b.md\n~~~~'],
  ['<!-- @docs/a.md\n@docs/b.md -->'],
])('%j imports nothing', (text) => expect(findImports(text)).toEqual([]));

test('what only looks like the beginning of code hides no import', () => {
  expect(findImports('One ` here.\n\n@docs/a.md\n\nand ` there.')).toEqual(['docs/a.md']);
  expect(findImports('```one line``` @docs/a.md\n@b.md')).toEqual(['docs/a.md', 'b.md']);
  expect(findImports('```\ncode\n```\n@docs/a.md')).toEqual(['docs/a.md']);
});
