import { mkdirSync, rmdirSync, utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolCall } from '@saga-ai/model';
import { expect } from 'vitest';
import type { ClientEvent } from '../../rig/client/client-run.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { callTools } from './tasks-call-tools.ts';

/**
 * What proper-lockfile does: the folder is the lock, and its mtime says when it was last held. It is
 * kept fresh unless it is to be old.
 */
export function holdLock(stage: Stage, name: string, { ageMs = 0 } = {}): HeldLock {
  const path = join(stage.tasks, `${name}.lock`);
  mkdirSync(path);
  const touch = () => {
    const time = new Date(Date.now() - ageMs);
    utimesSync(path, time, time);
  };
  touch();
  const timer = ageMs === 0 ? setInterval(touch, 1_000) : undefined;
  const stop = () => clearInterval(timer);
  const release = () => {
    stop();
    rmdirSync(path);
  };
  return { path, release, [Symbol.dispose]: stop };
}

export interface HeldLock extends Disposable {
  path: string;
  release(): void;
}

/** Less than the 2.7 seconds after which the client gives up. */
const WAITS_MS = 2_000;
const HELD_MS = 500;

/**
 * Makes a call while a lock is held, and looks at the list before the lock is released. A busy machine may let this
 * process stand still until the client has rightly given up: then the clocks prove that the lock was held for too
 * long, nothing has changed, and the call is made again.
 */
export async function callWhileHeld(stage: Stage, name: string, call: ToolCall, look: () => void) {
  for (;;) {
    using lock = holdLock(stage, name);
    const { begun, answered, ended } = await startCall(stage, call);
    await sleep(HELD_MS);
    look();
    lock.release();
    const heldMs = Date.now() - begun;
    const { ms, ...answer } = await answered;
    const { code } = await ended;
    if (answer.isError && heldMs > WAITS_MS) continue;
    expect(ms).toBeGreaterThan(HELD_MS - 10);
    return { ...answer, code };
  }
}

/** Starts a run that makes one call; resolves when the client has been told to make it. */
export async function startCall(stage: Stage, call: ToolCall) {
  const { seen, ended } = await stage.start({ turns: [{ calls: [call] }, { text: 'Done.' }] });
  const begun = timeOf(await seen((it) => it.type === 'assistant' && hasCall(it, call.tool)));
  const answered = seen((it) => it.type === 'user').then((event) => ({
    text: String(event.message.content[0].content),
    isError: event.message.content[0].is_error === true,
    ms: timeOf(event) - begun,
  }));
  return { begun, answered, ended };
}

/** By the client's clock, since a busy test hears late of an event; by the test's if the client does not say it. */
const timeOf = ({ timestamp }: ClientEvent): number =>
  timestamp === undefined ? Date.now() : Date.parse(timestamp);

function hasCall({ message }: ClientEvent, tool: string): boolean {
  return message.content.some((block: ClientEvent) => block.name === tool);
}

/** Makes one call, and tells which entries of the list came, changed or went meanwhile. */
export async function watchCall(stage: Stage, call: ToolCall) {
  const touched = new Set<string>();
  const watcher = watch(stage.tasks, (_, name) => {
    if (name) touched.add(name);
  });
  try {
    const { shown } = await callTools(stage, [call]);
    return { shown, touched: [...touched].toSorted() };
  } finally {
    watcher.close();
  }
}
