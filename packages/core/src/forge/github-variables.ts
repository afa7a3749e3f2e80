/** Variables with which gh and scripts log in to GitHub. */
const TOKENS = ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];

export const isGitHubToken = (name: string): boolean => TOKENS.includes(name);
