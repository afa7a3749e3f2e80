/** Which families of files instruct the client. Rules count as the first one. */
export interface Families {
  claude: boolean;
  /** `instead` if these files count only where there is none of the other family. */
  agents: 'never' | 'instead' | 'always';
}

const BY_DEFAULT: Families = { claude: true, agents: 'instead' };

/** The values of the person's setting `instructionFiles`. */
const CHOICES = new Map<unknown, Families>([
  ['claude-md', { claude: true, agents: 'never' }],
  ['claude-md-or-agents-md', BY_DEFAULT],
  ['claude-md-and-agents-md', { claude: true, agents: 'always' }],
  ['managed-only', { claude: false, agents: 'never' }],
]);

/** Names of the part of the client that the setting belongs to. */
const PART = ['agents-md@builtin', 'cc-plugin-agents-md@builtin'];

/** Finds the person's choice in their settings. Like the client, it takes none from the project. */
export function chooseFamilies(settings: unknown): Families {
  const chosen = PART.map((part) => {
    const path = ['pluginConfigs', part, 'options', 'instructionFiles'];
    return CHOICES.get(path.reduce(fieldOf, settings));
  });
  return chosen.find((it) => it !== undefined) ?? BY_DEFAULT;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
