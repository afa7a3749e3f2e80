import type { Context } from 'hono';

type Headers = Readonly<Record<string, string>>;

/**
 * Answers with a value as JSON. `c.json` of Hono derives the JSON type field by field, which does not terminate for
 * loose objects.
 */
export const sendJson = <T extends object>(c: Context, answer: T, headers: Headers = {}) =>
  sendJsonText(c, JSON.stringify(answer), headers);

/** Answers with a text that is JSON already. */
export const sendJsonText = (c: Context, text: string, headers: Headers = {}) =>
  c.body(text, 200, { 'content-type': 'application/json', ...headers });
