import type { ClaudeTask } from '@saga-ai/core/agents/claude/tasklist/claude-task';

export interface LedgerCommand {
  verb: 'create' | 'update' | 'close' | 'pop' | 'dep' | 'delete';
  args: string[];
  id: string;
  /** The task it waits for, or the value it writes. */
  other: string;
}

const VERBS = ['create', 'create', 'update', 'close', 'pop', 'dep', 'dep', 'delete'] as const;

/** Invents commands on a list, and remembers the acknowledged changes, which must never be lost. */
export class Ledger {
  acknowledged = 0;
  readonly #random: () => number;
  readonly #known: string[] = [];
  readonly #created = new Set<string>();
  readonly #popped = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Tasks whose delete was killed: it may have happened or not. */
  readonly #maybeDeleted = new Set<string>();
  readonly #promises: LedgerCommand[] = [];
  readonly #faults: string[] = [];
  #count = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  know(ids: string[]): void {
    this.#known.push(...ids);
    for (const id of ids) this.#created.add(id);
  }

  next(): LedgerCommand {
    const verb = this.#pick(VERBS);
    const id = this.#pick(this.#known);
    const other = verb === 'update' ? `v${++this.#count}` : this.#pick(this.#known);
    if (verb === 'delete') this.#maybeDeleted.add(id);
    const args = {
      create: ['create', `Made ${++this.#count}`, '--blocked-by', other],
      update: ['update', id, '--meta', `${other}=1`],
      close: ['close', id],
      pop: ['pop'],
      dep: ['dep', 'add', id, other],
      delete: ['delete', id],
    }[verb];
    return { verb, args, id, other };
  }

  acknowledge(command: LedgerCommand, answer: { error?: unknown; task?: { id: string } | null }) {
    if (answer.error !== undefined || answer.task === null) return;
    this.acknowledged++;
    const id = answer.task?.id ?? command.id;
    this.#promises.push({ ...command, id });
    if (command.verb === 'delete') this.#deleted.add(id);
    if (command.verb === 'pop') this.#addOnce(this.#popped, id, 'was claimed twice');
    if (command.verb === 'create') {
      this.#addOnce(this.#created, id, 'was given twice');
      this.#known.push(id);
    }
  }

  /** Returns every acknowledged change that the list has lost. */
  check(tasks: ReadonlyMap<string, ClaudeTask>): string[] {
    const faults = this.#faults.splice(0);
    for (const id of this.#deleted) if (tasks.has(id)) faults.push(`${id} is back`);
    for (const id of this.#created) {
      if (!tasks.has(id) && !this.#maybeDeleted.has(id)) faults.push(`${id} is lost`);
    }
    for (const promise of this.#promises) {
      const task = tasks.get(promise.id);
      if (task && !this.#isKept(promise, task)) faults.push(`not kept: ${promise.args.join(' ')}`);
    }
    return faults;
  }

  #isKept({ verb, other }: LedgerCommand, task: ClaudeTask): boolean {
    if (verb === 'update') return task.metadata?.[other] === 1;
    if (verb === 'close') return task.status === 'completed';
    if (verb === 'pop') return task.status !== 'pending';
    if (verb === 'delete') return true;
    return this.#maybeDeleted.has(other) || task.blockedBy.includes(other);
  }

  #addOnce(ids: Set<string>, id: string, fault: string): void {
    if (ids.has(id)) this.#faults.push(`${id} ${fault}`);
    ids.add(id);
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
}
