import { mkdirSync, rmdirSync, utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '@saga-ai/model';
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

/** Starts a run that makes one call; resolves when the client has been told to make it. */
export async function startCall(stage: Stage, call: ToolCall) {
  const { seen, ended } = await stage.start({ turns: [{ calls: [call] }, { text: 'Done.' }] });
  const begun = timeOf(await seen((it) => it.type === 'assistant' && hasCall(it, call.tool)));
  const answered = seen((it) => it.type === 'user').then((event) => ({
    text: String(event.message.content[0].content),
    isError: event.message.content[0].is_error === true,
    ms: timeOf(event) - begun,
  }));
  return { answered, ended };
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
