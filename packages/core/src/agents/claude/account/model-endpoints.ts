import type { Environment } from '../../../processes/run.ts';

/**
 * Lists the addresses by which the client reaches its model and renews its login, by the variables of a run. The list
 * lacks other addresses that a provider needs, such as a company's login page or a metadata server.
 */
export function listModelEndpoints(env: Environment): string[] {
  const own = USED.filter(([variable]) => isOn(env[variable])).flatMap(([, list]) => list(env));
  return own.length > 0 ? own : [env.ANTHROPIC_BASE_URL || 'https://api.anthropic.com', LOGIN];
}

/** Where the client renews a login of a subscription. */
const LOGIN = 'https://platform.claude.com';

const USED: [variable: string, list: (env: Environment) => string[]][] = [
  ['CLAUDE_CODE_USE_BEDROCK', listBedrock],
  ['CLAUDE_CODE_USE_VERTEX', listVertex],
  ['CLAUDE_CODE_USE_FOUNDRY', listFoundry],
];

const isOn = (value: string | undefined) =>
  value !== undefined && !/^(|0|false|no|off)$/i.test(value);

function listBedrock(env: Environment): string[] {
  if (env.ANTHROPIC_BEDROCK_BASE_URL) return [env.ANTHROPIC_BEDROCK_BASE_URL];
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1';
  return ['bedrock-runtime', 'bedrock', 'sts'].map((it) => `https://${it}.${region}.amazonaws.com`);
}

function listVertex(env: Environment): string[] {
  const login = 'https://oauth2.googleapis.com';
  if (env.ANTHROPIC_VERTEX_BASE_URL) return [env.ANTHROPIC_VERTEX_BASE_URL, login];
  const ofModels = Object.entries(env).filter(([name]) => /^VERTEX_REGION_/.test(name));
  const named = [env.CLOUD_ML_REGION, ...ofModels.map(([, region]) => region)].filter(Boolean);
  const regions = named.length > 0 ? [...new Set(named)] : ['us-east5'];
  const hosts = regions.map((it) => (it === 'global' ? '' : `${it}-`));
  return [...hosts.map((it) => `https://${it}aiplatform.googleapis.com`), login];
}

function listFoundry(env: Environment): string[] {
  const { ANTHROPIC_FOUNDRY_BASE_URL: url, ANTHROPIC_FOUNDRY_RESOURCE: resource } = env;
  const own = url || (resource ? `https://${resource}.services.ai.azure.com` : undefined);
  return [...(own ? [own] : []), 'https://login.microsoftonline.com'];
}
