import { isAtLeast } from '@saga-ai/types/words/versions';
import type { AgentAccount } from '../../agent.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The account of runs that use nobody's account, such as runs with a scripted model. */
export const NO_ACCOUNT: AgentAccount = { settings: {}, env: {} };

/** The other providers of models. A client ignores a variable that it does not know. */
export const PROVIDERS = [
  'BEDROCK',
  'VERTEX',
  'FOUNDRY',
  'MANTLE',
  'GATEWAY',
  'ANTHROPIC_AWS',
  'ANTHROPIC_GOOGLE_CLOUD',
];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTextByName = (value: unknown): boolean =>
  isFields(value) && Object.values(value).every(isText);

/** The settings that concern the account, with the first tested client that knows each. */
const SETTINGS: Readonly<Record<string, { since?: string; fits(value: unknown): boolean }>> = {
  apiKeyHelper: { fits: isText },
  awsAuthRefresh: { fits: isText },
  awsCredentialExport: { fits: isText },
  otelHeadersHelper: { fits: isText },
  forceLoginMethod: { fits: (value) => value === 'claudeai' || value === 'console' },
  forceLoginOrgUUID: { fits: isText },
  gcpAuthRefresh: { since: '2.1.100', fits: isText },
  modelOverrides: { since: '2.1.100', fits: isTextByName },
  proxyAuthHelper: { since: '2.1.233', fits: isText },
};

/**
 * The variables of the account, of the providers, of proxies and of certificates. All other variables
 * are left out: some of the client's switch hooks off, and `NODE_OPTIONS` can load any program into it.
 */
const VARIABLES = [
  // ANTHROPIC_LOG writes to the output that the worker reads.
  /^ANTHROPIC_(?!LOG$)/,
  new RegExp(`^CLAUDE_CODE_USE_(${PROVIDERS.join('|')})$`),
  new RegExp(`^CLAUDE_CODE_SKIP_(${PROVIDERS.join('|')})_AUTH$`),
  /^CLAUDE_CODE_(OAUTH_TOKEN|API_KEY_HELPER_TTL_MS)$/,
  /^(AWS|AZURE|OTEL)_/,
  /^(CLAUDE_CODE_ENABLE_TELEMETRY|CLAUDE_CODE_OTEL_HEADERS_HELPER_DEBOUNCE_MS)$/,
  /^(GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CLOUD_PROJECT|GCLOUD_PROJECT|CLOUD_ML_REGION)$/,
  /^VERTEX_REGION_/,
  /^(HTTPS?|NO|ALL)_PROXY$/i,
  /^CLAUDE_CODE_(PROXY_RESOLVES_HOSTS|ENABLE_PROXY_AUTH_HELPER|PROXY_AUTH_HELPER_TTL_MS)$/,
  /^(NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  /^CLAUDE_CODE_(CERT_STORE|CLIENT_CERT|CLIENT_KEY|CLIENT_KEY_PASSPHRASE)$/,
  // Some gateways refuse or cut off requests without these.
  /^(API_TIMEOUT_MS|CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS|CLAUDE_CODE_MAX_OUTPUT_TOKENS)$/,
  /^(CLAUDE_CODE_ATTRIBUTION_HEADER|DISABLE_PROMPT_CACHING\w*)$/,
];

/** Says whether a variable belongs to the account, or to how the client reaches its model. */
export const isAccountVariable = (name: string): boolean => VARIABLES.some((it) => it.test(name));

const NO_PROXY = /^no_proxy$/i;

/**
 * Picks the settings and variables that concern the account from a person's settings. A setting that
 * the project's settings contain too is left out, because the client lets the project's value win.
 */
export function pickAccount(person: unknown, project: unknown): AgentAccount {
  const theirs = isFields(project) ? project : {};
  if (!isFields(person)) return { settings: {}, env: pickVariables(theirs.env, [NO_PROXY]) };
  const settings = Object.entries(pickAccountSettings(person)).filter(
    ([key]) => theirs[key] === undefined,
  );
  return {
    settings: Object.fromEntries(settings),
    env: { ...pickVariables(person.env, VARIABLES), ...pickVariables(theirs.env, [NO_PROXY]) },
  };
}

/** Picks the settings that concern the account and are of the right kind. */
export function pickAccountSettings(settings: Fields): Fields {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([key, value]) => Object.hasOwn(SETTINGS, key) && SETTINGS[key]?.fits(value),
    ),
  );
}

/** Returns the settings that this version knows. An unknown key may disable all hooks of an old client. */
export function knownSettings({ settings }: AgentAccount, version: string): Fields {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([key]) =>
        Object.hasOwn(SETTINGS, key) && isAtLeast(version, SETTINGS[key]?.since ?? '0.0.0'),
    ),
  );
}

function pickVariables(env: unknown, names: readonly RegExp[]): Record<string, string> {
  if (!isFields(env)) return {};
  return Object.fromEntries(
    Object.entries(env)
      .filter(([key, value]) => names.some((it) => it.test(key)) && isPlain(value))
      .map(([key, value]) => [key, String(value)]),
  );
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
