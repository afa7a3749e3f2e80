/** A list that the browser keeps, and that all tabs share. */
export interface Stored<T> {
  read(): readonly T[];
  write(items: readonly T[]): void;
  subscribe(listener: () => void): () => void;
}

const listeners = new Map<string, Set<() => void>>();

export function openStored<T>(key: string, isItem: (value: unknown) => value is T): Stored<T> {
  let text: string | null = null;
  let items: readonly T[] = [];
  const read = () => {
    const now = load(key);
    if (now !== text) {
      text = now;
      items = parse(now).filter(isItem);
    }
    return items;
  };
  return {
    read,
    write(next) {
      save(key, next);
      for (const listener of listeners.get(key) ?? []) listener();
    },
    subscribe(listener) {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(listener));
      const hear = (event: StorageEvent) => {
        if (event.key === key) listener();
      };
      window.addEventListener('storage', hear);
      return () => {
        own.delete(listener);
        window.removeEventListener('storage', hear);
      };
    },
  };
}

/** The lists, if storage is forbidden or full. */
const memory = new Map<string, string>();

function load(key: string): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key);
  } catch {
    // Storage may be forbidden.
    return memory.get(key) ?? null;
  }
}

function save(key: string, items: readonly unknown[]): void {
  const text = JSON.stringify(items);
  try {
    if (items.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    // Storage may be forbidden or full. Then the items last as long as the page.
    memory.set(key, text);
  }
}

function parse(text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    // The stored text is not a list of SAGA.
    return [];
  }
}
