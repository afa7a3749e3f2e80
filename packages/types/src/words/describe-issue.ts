import type * as z from 'zod/mini';
import { ID_RULE } from '../plan/ids.ts';

export interface IssueText {
  field: string;
  message: string;
}

type Issue = z.core.$ZodIssue;

/** Describes the issues of a schema in words. zod's own texts are not used, which keeps bundles small. */
export function describeIssues(error: z.core.$ZodError, input: unknown): IssueText[] {
  return error.issues.flatMap((issue) => describeIssue(issue, input));
}

function describeIssue(issue: Issue, input: unknown): IssueText[] {
  const field = formatField(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: formatField([...issue.path, key]),
      message: 'is not a known key',
    }));
  }
  if (issue.code === 'invalid_union') {
    const meant = findMeant(issue.errors);
    if (meant) {
      return meant.flatMap((it) =>
        describeIssue({ ...it, path: [...issue.path, ...it.path] }, input),
      );
    }
  }
  const value = valueAt(input, issue.path);
  if (value === undefined && issue.code !== 'custom') return [{ field, message: 'is missing' }];
  return [{ field, message: `${describeRule(issue)} (found ${formatValue(value)})` }];
}

/** Returns the issues of the one alternative that has the right type. */
function findMeant(alternatives: readonly Issue[][]): Issue[] | undefined {
  const fitting = alternatives.filter(
    (issues) => !issues.some((it) => it.code === 'invalid_type' && it.path.length === 0),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function describeRule(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(issue.expected)}`;
    case 'invalid_union':
      return `must be ${listTypes(issue.errors)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'invalid_format':
      return `must be an id: ${ID_RULE}`;
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    default:
      return issue.message || 'is not valid';
  }
}

function listTypes(alternatives: readonly Issue[][]): string {
  const types = alternatives.flatMap(([first]) =>
    first?.code === 'invalid_type' ? [withArticle(first.expected)] : [],
  );
  return types.length === alternatives.length ? types.join(' or ') : 'something else';
}

export function formatField(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number'
        ? `${text}[${part}]`
        : text
          ? `${text}.${String(part)}`
          : String(part),
    '',
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'a whole number';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
