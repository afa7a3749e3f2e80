import { describe, expect, test } from 'vitest';
import { CI_FILES, findProtected, listDefaults } from './protected-files.ts';

const CLIENT = ['**/.claude/**', '.mcp.json', '**/CLAUDE.md', 'docs/[a] rules.md'];
const BY_DEFAULT = [...CI_FILES, ...CLIENT];
const find = (file: string, writeFiles?: string[], configured: string[] = []) =>
  findProtected([file], { byDefault: BY_DEFAULT, configured, writeFiles }).length > 0;

describe('files that tell a CI or the client what to do are protected', () => {
  test.each([
    '.github/workflows/x.yml',
    '.GitHub/Workflows/x.yml',
    '.github/actions/build/action.yml',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    '.buildkite/a/b.yml',
    'Jenkinsfile',
    'ci/jenkinsfile',
    'azure-pipelines.yml',
    '.claude/hooks/x.sh',
    'packages/a/.claude/settings.json',
    '.mcp.json',
    'CLAUDE.md',
    'src/claude.MD',
    'docs/[a] rules.md',
  ])('%s', (file) => expect(find(file)).toBe(true));

  test.each(['.github/CODEOWNERS', 'src/a.ts', 'docs/.mcp.json.md', 'CLAUDE.mdx', 'claude/x'])(
    'but not %s',
    (file) => expect(find(file)).toBe(false),
  );
});

describe('writeFiles frees what it names', () => {
  test.each([
    ['.github/workflows/x.yml', '.github/**'],
    ['.github/workflows/x.yml', '.github/workflows/x.yml'],
    ['CLAUDE.md', 'CLAUDE.md'],
    ['src/CLAUDE.md', '**/CLAUDE.md'],
    ['.claude/agents/a.md', '.claude/agents/**'],
    ['docs/[a] rules.md', 'docs/[a] rules.md'],
  ])('%s by %s', (file, glob) => expect(find(file, ['src/**', glob])).toBe(false));

  test.each([
    ['.github/workflows/x.yml', '**'],
    ['.github/workflows/x.yml', '.github/CODEOWNERS'],
    ['src/CLAUDE.md', 'src/**'],
    ['.claude/agents/a.md', '**/*.md'],
    ['docs/[a] rules.md', 'docs/**'],
  ])('%s not by %s', (file, glob) => expect(find(file, [glob])).toBe(true));
});

test('gate.protectedFiles adds files, which writeFiles does not free, and frees others', () => {
  expect(find('secrets.lock', ['secrets.lock'], ['*.lock'])).toBe(true);
  expect(find('.github/workflows/x.yml', [], ['!.github/workflows/**'])).toBe(false);
  expect(find('.circleci/config.yml', [], ['!.github/workflows/**'])).toBe(true);
});

test('what is protected can be listed', () => {
  const listed = listDefaults({
    byDefault: BY_DEFAULT,
    configured: ['!.gitlab-ci.yml'],
    writeFiles: ['.github/**'],
  });
  expect(listed).not.toContain('.gitlab-ci.yml');
  expect(listed).not.toContain('.github/workflows/**');
  expect(listed).toContain('**/CLAUDE.md');
});
