import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { findQuery } from '../api/queries.ts';
import { StateGlyph } from '../ui/state-glyph.tsx';
import { Dialog } from './dialog.tsx';
import { buildPaletteItems } from './palette-items.ts';

export default function Palette({ close }: { close: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const asked = useDeferredValue(query);
  const { data: found, isPlaceholderData } = useQuery(findQuery(asked.trim()));
  const items = buildPaletteItems(query, found, isPlaceholderData || asked !== query);
  const chosen = Math.min(at, items.length - 1);

  const go = (index: number) => {
    const item = items[index];
    if (!item) return;
    close();
    router.history.push(item.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, items.length));
    else if (event.key === 'ArrowUp')
      setAt((chosen - 1 + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter') go(chosen);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog label="Go to" close={close}>
      <input
        autoFocus
        role="combobox"
        aria-label="Go to a story, an epic or a page"
        aria-expanded="true"
        aria-controls="palette-items"
        aria-activedescendant={items[chosen] ? `palette-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Go to a story, an epic or a page"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-faint"
      />
      <div
        id="palette-items"
        role="listbox"
        tabIndex={-1}
        aria-label="Found"
        className="max-h-[50vh] overflow-y-auto p-1.5"
      >
        {items.map((item, index) => (
          <div
            key={`${item.kind} ${item.id}`}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerMove={() => setAt(index)}
            onClick={() => go(index)}
            onKeyDown={onKeyDown}
            className={`flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm ${index === chosen ? 'bg-plain-wash' : ''}`}
          >
            {item.state ? <StateGlyph state={item.state} /> : <span className="w-4" />}
            <span className="truncate">{item.title}</span>
            <span className="ml-auto shrink-0 pl-3 font-mono text-xs text-faint">
              {item.kind === 'page' ? 'page' : `${item.kind} ${item.id}`}
            </span>
          </div>
        ))}
        {items.length === 0 ? (
          <p className="px-2.5 py-4 text-center text-sm text-faint">
            No story, epic or page has that name.
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
