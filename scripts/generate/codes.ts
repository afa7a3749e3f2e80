import { CODES } from '../../packages/types/src/words/problem.ts';
import { code, page, table } from './page.ts';

export function describeCodes(): string {
  return page('Codes of errors and problems', [
    'Every error and every problem carries one of these. With `--json`, an error is\n`{ "error": { "code", "message", "hint" } }` and problems are a list beside the result.\n[Troubleshooting](../guide/troubleshooting.md) has a section for each.',
    table(
      ['code', 'meaning'],
      Object.entries(CODES).map(([name, meaning]) => [
        `[${code(name)}](../guide/troubleshooting.md#${name})`,
        meaning,
      ]),
    ),
  ]);
}
