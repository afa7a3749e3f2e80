import { expect, test } from 'vitest';
import { startPostgres } from '../../../test/rig/postgres/start-postgres.ts';
import { initEngine, openEngine } from './open-engine.ts';

test('a wrong password, without the password', async () => {
  await using postgres = await startPostgres();
  const url = postgres.url.replace(/:[^:@]*@/, ':wr0ng@');
  const failure = await openEngine({ url, name: 'test', role: 'reader' }).catch((error) => error);
  expect(failure).toMatchObject({ code: 'engine-unreachable' });
  expect(failure.message).toContain('refuses the login');
  expect(`${failure.message}${failure.hint}`).not.toContain('wr0ng');
});

test('a database that is not there', async () => {
  const url = 'postgres://saga:s3cret@localhost/postgres?host=/nonexistent';
  const failure = await openEngine({ url, name: 'test', role: 'reader' }).catch((error) => error);
  expect(failure).toMatchObject({ code: 'engine-unreachable' });
  expect(failure.message).not.toContain('s3cret');
});

test('a database that nobody prepared', async () => {
  await using empty = await startPostgres();
  await expect(openEngine({ url: empty.url, name: 'test', role: 'reader' })).rejects.toMatchObject({
    code: 'engine-not-ready',
    hint: expect.stringContaining('saga fleet init'),
  });
});

test('tables of pg-boss that another version made', async () => {
  await using other = await startPostgres();
  await initEngine(other.url);
  other.run('update saga_jobs.version set version = version - 1');
  await expect(openEngine({ url: other.url, name: 'test', role: 'reader' })).rejects.toMatchObject({
    code: 'engine-not-ready',
    message: expect.stringContaining('requires migrations'),
    hint: expect.stringContaining('saga fleet init'),
  });
});

test('a name with the word schema in it does not make a database unprepared', async () => {
  const url = 'postgres://saga:s3cret@localhost/postgres?host=/nonexistent/schema';
  await expect(openEngine({ url, name: 'test', role: 'reader' })).rejects.toMatchObject({
    code: 'engine-unreachable',
  });
});

test('tables of an earlier version, until they are prepared again', async () => {
  await using other = await startPostgres();
  await initEngine(other.url);
  other.run('alter table saga.machine drop column trouble; update saga.version set number = 1');
  const opened = () => openEngine({ url: other.url, name: 'test', role: 'reader' });
  await expect(opened()).rejects.toMatchObject({
    code: 'engine-not-ready',
    hint: expect.stringContaining('saga fleet init'),
  });
  await initEngine(other.url);
  const engine = await opened();
  expect(await engine.machines.list()).toEqual([]);
  await engine.close();
});
