/** A value that must not leave the machine, and the variable it is known by. */
export interface Secret {
  name: string;
  value: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Parts of a name that say that the value is secret. */
const SECRET_NAME =
  /(^|_)(API_?)?KEYS?(_|$)|APIKEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIAL|(^|_)(AUTH|PAT|COOKIE|PWD)(_|$)|PRIVATE/i;

/** The names of git's settings, which are passed in variables of this name. */
const NAMES_OF_SETTINGS = /^GIT_CONFIG_KEY_\d+$/;

/** The length of the shortest secret. A shorter value is too likely to be a part of other words. */
const SHORTEST = 8;

/** Matches values that are not secret: paths, switches, numbers, and the key of a scripted model. */
const HARMLESS = /^(\/|\.{1,2}\/|~|[a-z]:\\|true$|false$|enabled$|disabled$|scripted$|\d{1,12}$)/i;

/**
 * Finds the secrets among environment variables: the values of variables whose names look secret, and the
 * passwords in addresses. The longest is first, so that a secret that contains another is hidden whole.
 */
export function findSecrets(env: Variables): Secret[] {
  const found = new Map<string, string>();
  const add = (name: string, value: string) => {
    const text = value.trim();
    if (text.length >= SHORTEST && !HARMLESS.test(text)) found.set(text, found.get(text) ?? name);
  };
  for (const [name, value = ''] of Object.entries(env)) {
    const password = findPassword(value);
    if (password !== undefined) {
      add(name, password);
      add(name, decode(password));
    } else if (SECRET_NAME.test(name) && !NAMES_OF_SETTINGS.test(name) && !isAddress(value)) {
      // A key in PEM has many lines, and output comes line by line.
      for (const line of value.split('\n')) if (!line.startsWith('-----')) add(name, line);
    }
  }
  return [...found]
    .map(([value, name]) => ({ name, value }))
    .sort((a, b) => b.value.length - a.value.length);
}

const isAddress = (value: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(value);

const findPassword = (value: string) =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/@:\s]*:([^/@\s]+)@/i.exec(value)?.[1];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text is not encoded.
    return text;
  }
}

/** Replaces every secret in a text by the name of its variable. */
export function maskText(text: string, secrets: readonly Secret[]): string {
  let masked = text;
  for (const { name, value } of secrets) {
    if (masked.includes(value)) masked = masked.replaceAll(value, `[hidden: ${name}]`);
  }
  return masked;
}

/** Masks every text inside a value, also the names of fields. */
export function maskDeep<T>(value: T, secrets: readonly Secret[]): T {
  if (secrets.length === 0) return value;
  const mask = (it: unknown): unknown => {
    if (typeof it === 'string') return maskText(it, secrets);
    if (Array.isArray(it)) return it.map(mask);
    if (typeof it !== 'object' || it === null) return it;
    return Object.fromEntries(
      Object.entries(it).map(([key, inner]) => [maskText(key, secrets), mask(inner)]),
    );
  };
  return mask(value) as T;
}
