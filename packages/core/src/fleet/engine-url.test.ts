import { expect, test } from 'vitest';
import { hidePassword } from './engine-url.ts';

test.each([
  ['postgres://saga:s3cret@db.example/saga', 'postgres://saga@db.example/saga'],
  ['postgres://saga:s3:c@ret@db.example/saga', 'postgres://saga@db.example/saga'],
  ['postgres://saga@db.example/saga', 'postgres://saga@db.example/saga'],
  ['postgres://db.example:5432/saga', 'postgres://db.example:5432/saga'],
  [
    'postgres:///saga?host=/run/pg&password=s3cret&sslmode=require',
    'postgres:///saga?host=/run/pg&password=…&sslmode=require',
  ],
  ['postgresql://saga:@localhost/saga', 'postgresql://saga@localhost/saga'],
])('%s is shown as %s', (url, shown) => {
  expect(hidePassword(url)).toBe(shown);
});
