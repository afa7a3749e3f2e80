import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNearest } from '@saga-ai/types/words/nearest';
import { SagaError } from '../errors.ts';
import { listFolder } from '../files/list-folder.ts';
import { type Paths, templatesFolder } from '../project/paths.ts';

/** SAGA's own templates, by name. Remarks in `<!-- -->` do not become a part of the plan. */
const OWN: Readonly<Record<string, string>> = {
  story: `## Title of the story

What is there now, what is missing, and why. Name files, functions and decisions.

**Guidance:** How to do it.
**Done when:** A command and what it prints, or a fact that anyone can check.
**Avoid:** What not to do.
**Writes:** src/**, test/**
**Verify:** \`npm test\`

### Write failing tests

In which file, and what they test.

**Done when:** They fail only because the code is not there.

### Write the code

Which file, which function, what it does.

after: write-failing-tests
`,
  epic: `# Title of the epic

What it is for.

## First story

What is there now, what is missing, and why.

**Done when:** A command and what it prints.
**Writes:** src/first/**
**Verify:** \`npm test\`

1. Write failing tests
   In which file, and what they test.
2. Write the code
   Which file, which function, what it does.

## Second story

What it adds to the first.

after: first-story

**Done when:** A command and what it prints.
**Writes:** src/second/**

- The only task
`,
};

const ABOUT: Readonly<Record<string, string>> = {
  story: 'A story is what one pull request can carry.',
  epic: 'An epic is a group of stories and their order.',
};

/** Returns the remark that stands above a template of SAGA's own in an editor. */
const remarkOn = (name: string) => `<!-- ${ABOUT[name]} Replace the words below, save and close.
     To give up, close the editor without a change. -->

`;

/** The names of all templates: those of the project, and SAGA's own. */
export function listTemplates(paths: Paths): string[] {
  const own = listFolder(paths.root, templatesFolder(paths))
    .filter((name) => name.endsWith('.md') && isFile(join(templatesFolder(paths), name)))
    .map((name) => name.slice(0, -'.md'.length));
  return [...new Set([...own, ...Object.keys(OWN)])].sort();
}

/** A link in a cloned repository could lead anywhere, so it is not followed. */
const isFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * Loads a template. A template of the project (`.saga/templates/<name>.md`) wins over SAGA's own of the same name.
 * SAGA's own begins with a remark that says what to do in the editor.
 */
export function loadTemplate(
  paths: Paths,
  name: string,
  place: 'editor' | 'page' = 'editor',
): string {
  const known = listTemplates(paths);
  if (!known.includes(name)) {
    const near = findNearest(name, known);
    throw new SagaError(
      'not-found',
      `There is no template ${JSON.stringify(name)}.`,
      `${near ? `Did you mean ${near}? ` : ''}Templates: ${known.join(', ')}. Your own are files such as .saga/templates/bug.md.`,
    );
  }
  const path = join(templatesFolder(paths), `${name}.md`);
  if (isFile(path)) return readFileSync(path, 'utf8');
  return `${place === 'editor' ? remarkOn(name) : ''}${OWN[name] ?? ''}`;
}
