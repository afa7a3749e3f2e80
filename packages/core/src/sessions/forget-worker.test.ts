import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { hasWorker, requireIdle } from '../plan/story-lock.ts';
import { acquireLock, findLockOwner } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import {
  loadSessionRecords,
  saveSessionRecord,
  stateOfSession,
} from '../records/session-records.ts';
import { forgetWorker } from './forget-worker.ts';

const RECORD = {
  version: 1 as const,
  session: 'saga-story-x-1',
  story: 'x',
  host: 'vm-2',
  pid: 12,
  started: 1,
  outputFile: '/nowhere',
  tmux: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  model: 'opus',
  cycle: 1,
  tokens: 0,
  costUsd: 0,
};

test('a worker of another machine is named with its host and lock, and given up on request', () => {
  using it = createProject();
  it.story('x');
  it.write('.git/saga/runs/locks/worker-x/vm-2~12~1~a', '');
  saveSessionRecord(it.paths, RECORD);
  const owner = findLockOwner(workerLock(it.paths, 'x'));
  expect(owner && hasWorker(it.paths, 'x', owner)).toMatchObject({
    message:
      'Story x has a worker already (process 12 on vm-2, by its lock .git/saga/runs/locks/worker-x).',
    hint: 'Stop it there: saga stop x. If that machine is gone: saga stop --forget x',
  });
  expect(() => requireIdle(it.paths, 'x')).toThrow('process 12 on vm-2');
  expect(forgetWorker(it.paths, 'x')).toMatchObject({
    owner: { host: 'vm-2', pid: 12 },
    sessions: ['saga-story-x-1'],
  });
  requireIdle(it.paths, 'x');
  const [record] = loadSessionRecords(it.paths).records;
  expect(record && stateOfSession(record)).toBe('ended');
  expect(record).toMatchObject({ outcome: 'stopped', reason: expect.stringContaining('vm-2') });
  expect(forgetWorker(it.paths, 'x')).toEqual({ owner: undefined, sessions: [] });
});

test('a worker of this machine is not forgotten', async () => {
  using it = createProject();
  it.story('x');
  const lock = await acquireLock(workerLock(it.paths, 'x'));
  expect(() => forgetWorker(it.paths, 'x')).toThrow('lives on this machine');
  expect(findLockOwner(workerLock(it.paths, 'x'))).toMatchObject({ pid: process.pid });
  lock.release();
});
