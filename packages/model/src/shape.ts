import { findNearest } from '@saga-ai/types/words/nearest';
import { isObject } from './json.ts';

/** What is wrong with a value and where in it; `field` is empty for the value itself. */
export interface Complaint {
  field: string;
  reason: string;
}

export type Shape = (value: unknown) => Complaint[];

export function objectOf(fields: Readonly<Record<string, Shape>>): Shape {
  return (value) => {
    if (!isObject(value)) return [complain(value, 'must be an object')];
    const unknown = Object.keys(value).filter((key) => !(key in fields));
    return [
      ...unknown.map((key) => ({ field: key, reason: describeUnknown(key, Object.keys(fields)) })),
      ...Object.entries(fields).flatMap(([key, shape]) => below(key, shape(value[key]))),
    ];
  };
}

export function arrayOf(shape: Shape): Shape {
  return (value) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => below(`[${index}]`, shape(item)))
      : [complain(value, 'must be a list')];
}

export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? [] : shape(value));
}

export function oneOf(values: readonly string[]): Shape {
  return test((value) => values.includes(value as string), `must be one of ${values.join(', ')}`);
}

export function test(holds: (value: unknown) => boolean, rule: string): Shape {
  return (value) => (holds(value) ? [] : [complain(value, rule)]);
}

export const isText = test((value) => typeof value === 'string', 'must be a text');
export const isAnyObject = test(isObject, 'must be an object');
export const isAmount = test(
  (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  'must be a number, not below 0',
);

function complain(value: unknown, rule: string): Complaint {
  return {
    field: '',
    reason: value === undefined ? 'is missing' : `${rule} (found ${formatFound(value)})`,
  };
}

function formatFound(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function describeUnknown(key: string, known: readonly string[]): string {
  const nearest = findNearest(key, known);
  return `is not known${nearest ? `; did you mean "${nearest}"?` : ` (known: ${known.join(', ')})`}`;
}

function below(key: string, complaints: readonly Complaint[]): Complaint[] {
  return complaints.map(({ field, reason }) => ({ field: join(key, field), reason }));
}

function join(key: string, field: string): string {
  return field === '' || field.startsWith('[') ? `${key}${field}` : `${key}.${field}`;
}
