import type { AgentHome, ProjectFiles, ProjectTree } from '../../agent.ts';
import { PROJECT_SETTINGS } from '../account/project-settings.ts';
import { readPersonSettings } from '../account/read-account.ts';
import { chooseFamilies } from './choose-families.ts';
import { readInstructions } from './read-instructions.ts';

/** Reads what a run gets of a project: the settings, and the instructions that the client would hear. */
export async function readProject(home: AgentHome, tree: ProjectTree): Promise<ProjectFiles> {
  const settings = tree.files.has(PROJECT_SETTINGS) ? await tree.read(PROJECT_SETTINGS) : '{}';
  const families = chooseFamilies(readPersonSettings(home).value);
  const told = await readInstructions(tree, families);
  const texts = told.map(({ path, text }) => [path, text] as const);
  return Object.fromEntries([[PROJECT_SETTINGS, settings], ...texts]);
}
