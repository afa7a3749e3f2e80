import type { LanguageFn } from 'highlight.js';

type Load = () => Promise<{ default: LanguageFn }>;

/** Each grammar is a file of its own, loaded when a file of that language is shown. */
const GRAMMARS: Record<string, Load> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

/** Languages by the end of a file's name. */
const ENDINGS: Record<string, string> = {
  bash: 'sh bash zsh',
  c: 'c h',
  cpp: 'cc cpp cxx hpp hh',
  csharp: 'cs',
  css: 'css scss less',
  dockerfile: 'dockerfile',
  go: 'go',
  ini: 'ini toml cfg conf properties',
  java: 'java',
  javascript: 'js jsx mjs cjs',
  json: 'json jsonl json5 jsonc',
  kotlin: 'kt kts',
  makefile: 'makefile mk',
  markdown: 'md markdown mdx',
  php: 'php',
  python: 'py pyi',
  ruby: 'rb rake gemfile',
  rust: 'rs',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts tsx mts cts',
  xml: 'xml html htm svg vue svelte',
  yaml: 'yml yaml',
};

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
);

/** Returns undefined if no grammar is known for the file. */
export function findLanguage(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return BY_ENDING.get(name) ?? BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1));
}

export const loadGrammar = (language: string) => GRAMMARS[language]?.();
