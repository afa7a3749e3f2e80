import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editJson, findJsonFault, formatJson } from './json-text.ts';

const TASK = `{
  "id": "api",
  "blockedBy": ["model", "tests"],
  "status": "pending",
  "weight": 1.50,
  "7": { "mine": [1,2] }
}
`;

test('a status change is a one-line diff, whatever the rest looks like', () => {
  const edited = editJson(TASK, { status: 'completed' });
  expect(edited).toBe(TASK.replace('"pending"', '"completed"'));
});

test('a value that is already there changes nothing, not even a missing final newline', () => {
  expect(editJson(TASK, { status: 'pending', blockedBy: ['model', 'tests'] })).toBe(TASK);
});

test('a new field goes to the end, in the style of the file', () => {
  expect(editJson('{\n    "id": "a"\n}\n', { branch: 'story/a', tags: ['x'] })).toBe(
    '{\n    "id": "a",\n    "branch": "story/a",\n    "tags": [\n      "x"\n    ]\n}\n',
  );
  expect(editJson('{"id":"a"}', { pr: 'url' })).toBe('{"id":"a", "pr": "url"}\n');
  expect(editJson('{}\n', { pr: 'url' })).toBe('{\n  "pr": "url"\n}\n');
  expect(editJson('{\r\n  "id": "a"\r\n}\r\n', { pr: 'u' })).toBe(
    '{\r\n  "id": "a",\r\n  "pr": "u"\r\n}\r\n',
  );
});

test('a field can be removed from anywhere', () => {
  const text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
  expect(editJson(text, { a: undefined })).toBe('{\n  "b": 2,\n  "c": 3\n}\n');
  expect(editJson(text, { b: undefined })).toBe('{\n  "a": 1,\n  "c": 3\n}\n');
  expect(editJson(text, { c: undefined })).toBe('{\n  "a": 1,\n  "b": 2\n}\n');
  expect(editJson('{"a": 1}\n', { a: undefined })).toBe('{}\n');
  expect(editJson(text, { z: undefined })).toBe(text);
});

const key = fc.oneof(fc.constantFrom('id', 'status', '__proto__', '7', 'a"b'), fc.string());
const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
const spacing = fc.constantFrom(undefined, 1, 2, 4, '\t');

test('editing equals setting fields, and keeps every other field and the order', () => {
  fc.assert(
    fc.property(object, object, spacing, (before, changes, indent) => {
      const text = JSON.stringify(before, null, indent);
      const edited = editJson(text, changes);
      const expected = new Map(Object.entries(JSON.parse(text)));
      for (const [name, value] of Object.entries(changes)) {
        expected.set(name, JSON.parse(JSON.stringify(value)));
      }
      expect(edited.endsWith('\n')).toBe(true);
      expect(new Map(Object.entries(JSON.parse(edited)))).toEqual(expected);
      const order = [...edited.matchAll(/^\s{1,4}"((?:[^"\\]|\\.)*)":/gm)].map((it) => it[1]);
      if (indent === 2 && Object.keys(before).every((name) => /^[a-z]+$/.test(name))) {
        const kept = Object.keys(before);
        expect(order.filter((name) => kept.includes(name ?? '')).slice(0, kept.length)).toEqual(
          kept,
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('every line that holds no changed field stays as it was', () => {
  fc.assert(
    fc.property(object, fc.jsonValue(), (before, value) => {
      const text = formatJson({ ...before, status: 'pending' });
      const edited = editJson(text, { status: value });
      const kept = text.split('\n').filter((line) => !line.includes('"status": "pending"'));
      const rest = edited.split('\n');
      for (const line of kept) {
        const at = rest.indexOf(line);
        expect(at).toBeGreaterThanOrEqual(0);
        rest.splice(at, 1);
      }
    }),
  );
});

test('a fault is found exactly when JSON.parse finds one', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', 'x', '\n', '\\'))
    .map(([text, at, insert]) => text.slice(0, at % (text.length + 1)) + insert);
  fc.assert(
    fc.property(fc.oneof(broken, fc.json(), fc.string()), (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      expect(findJsonFault(text) === undefined).toBe(valid);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['{\n  "a": 1,\n', { line: 3, reason: 'unexpected end' }],
  ['', { line: 1, reason: 'unexpected end' }],
  ['{\n  "a": 1\n  "b": 2\n}', { line: 3, reason: 'unexpected "\\""' }],
  ['{ "a": tru }', { line: 1, reason: 'unexpected "t"' }],
  ['{ "a": "x\n }', { line: 1, reason: 'a string is not closed' }],
  ['{ "a": 1 } x', { line: 1, reason: 'unexpected "x"' }],
])('%j stops at a named place', (text, fault) => {
  expect(findJsonFault(text)).toEqual(fault);
});
