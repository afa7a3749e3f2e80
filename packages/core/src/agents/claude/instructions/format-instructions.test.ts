import { expect, test } from 'vitest';
import { formatInstructions } from './format-instructions.ts';

test('every file of instructions is told, and nothing else', () => {
  const told = formatInstructions({
    '.claude/settings.json': '{"env":{}}',
    'AGENTS.md': 'Use tabs.\n',
    'docs/empty.md': '\n',
    '.claude/rules/a.md': '---\npaths: src/**\n---\nNo classes.',
  });
  expect(told).toContain('Contents of AGENTS.md, the instructions of this project:\n\nUse tabs.');
  expect(told).toContain('Contents of .claude/rules/a.md, rules of this project');
  expect(told).not.toMatch(/env|empty/);
  expect(formatInstructions({ '.claude/settings.json': '{}', 'CLAUDE.md': ' ' })).toBeUndefined();
});

test('long instructions fit into an argument, and what is left out is named', () => {
  const long = 'ü語'.repeat(40_000);
  const files = { 'AGENTS.md': long, 'docs/a.md': long, 'docs/b.md': long };
  const told = formatInstructions(files) ?? '';
  expect(Buffer.byteLength(told)).toBeLessThan(128 * 1024);
  expect(told).toContain('(The rest is in AGENTS.md; read it.)');
  expect(told).toContain('(More instructions of this project are in docs/b.md; read it.)');
});
