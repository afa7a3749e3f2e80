import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What those who wrote the bundled packages ask for: their names and licences, beside the bundle. */
export function formatLicences(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => findPackage(file) ?? []));
  const parts = new Map([...folders].map((folder) => describePackage(folder)));
  const texts = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${['This bundle contains the following packages.', ...texts].join(`\n${RULE}\n\n`)}\n`;
}

const RULE = '-'.repeat(80);

/** `…/node_modules/@scope/name/lib/a.js` to `…/node_modules/@scope/name`. */
function findPackage(file: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function describePackage(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  const title = `${name} ${version} (${license})`;
  const file = readdirSync(folder).find((it) => /^licen[cs]e(\.|$)/i.test(it));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return [title, [title, ...(text ? ['', text] : []), ''].join('\n')];
}
