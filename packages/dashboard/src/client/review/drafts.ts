import type { LineRemark } from '@saga-ai/types/screens/review/review';
import { useMemo, useSyncExternalStore } from 'react';
import { openStored } from './stored.ts';

/** A remark that is not sent yet. The browser keeps it. */
export interface Draft extends LineRemark {
  /** Unique among the drafts of an item. */
  key: string;
  path: string;
  /** The hash of the file's content when the remark was written. */
  content: string;
}

export interface Drafts {
  all: readonly Draft[];
  /** Begins a remark, unless there is one on that line. */
  begin(draft: Omit<Draft, 'key' | 'text'>): void;
  change(key: string, text: string): void;
  remove(keys: readonly string[]): void;
}

export function useDrafts(id: string): Drafts {
  const stored = useMemo(() => openStored(`saga-remarks ${id}`, isDraft), [id]);
  const all = useSyncExternalStore(stored.subscribe, stored.read);
  return useMemo(
    () => ({
      all,
      begin(draft) {
        const key = `${draft.path} ${draft.side} ${draft.line} ${draft.to}`;
        if (stored.read().some((it) => it.key === key)) return;
        stored.write([...stored.read(), { ...draft, key, text: '' }]);
      },
      change(key, text) {
        stored.write(stored.read().map((it) => (it.key === key ? { ...it, text } : it)));
      },
      remove(keys) {
        stored.write(stored.read().filter((it) => !keys.includes(it.key)));
      },
    }),
    [all, stored],
  );
}

function isDraft(value: unknown): value is Draft {
  const it = (value ?? {}) as Record<keyof Draft, unknown>;
  const texts = [it.key, it.path, it.content, it.from, it.to, it.text];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof it.file === 'number' &&
    typeof it.line === 'number' &&
    (it.side === 'old' || it.side === 'new')
  );
}
