import { readFileSync } from 'node:fs';

/** The keys that docs/reference/json.md promises of a command's value, for those it cannot run itself. */
export function documentedKeys(command: string): string[] {
  const page = readFileSync('docs/reference/json.md', 'utf8');
  const [, form = ''] =
    new RegExp(`^### saga ${command}\n\n\`\`\`\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  return [...form.matchAll(/^ {2}"(\w+)"/gm)].map(([, key = '']) => key);
}
