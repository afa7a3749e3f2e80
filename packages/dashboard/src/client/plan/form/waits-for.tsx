import { findCycles } from '@saga-ai/types/plan/graph';

interface Named {
  id: string;
  title: string;
  blockedBy: readonly string[];
}

interface WaitsForProps {
  /** The item that waits. */
  id: string;
  /** The item and its siblings. */
  items: readonly Named[];
  path: string;
  onChange: (blockedBy: string[]) => void;
}

/** Shows what an item waits for, as a list to change. A sibling that would close a circle cannot be chosen. */
export function WaitsFor({ id, items, path, onChange }: WaitsForProps) {
  const own = items.find((it) => it.id === id);
  const blockedBy = own?.blockedBy ?? [];
  const others = items.filter((it) => it.id !== id && !blockedBy.includes(it.id));
  const titleOf = (other: string) => items.find((it) => it.id === other)?.title || other;
  return (
    <fieldset className="grid min-w-0 gap-1 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-x-4">
      <legend className="float-left pt-1 text-sm text-faint sm:w-28">Waits for</legend>
      <div data-field={path} tabIndex={-1} className="flex min-w-0 flex-wrap items-center gap-1.5">
        {blockedBy.map((other) => (
          <span
            key={other}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-full border border-line bg-sunken pl-2.5 pr-1 text-xs"
          >
            <span className="truncate">{titleOf(other)}</span>
            <button
              type="button"
              aria-label={`${titleOf(id)} no longer waits for ${titleOf(other)}`}
              onClick={() => onChange(blockedBy.filter((it) => it !== other))}
              className="grid size-6 shrink-0 place-items-center rounded-full text-faint hover:bg-hover hover:text-ink"
            >
              ×
            </button>
          </span>
        ))}
        {others.length > 0 ? (
          <select
            aria-label={`Let ${titleOf(id)} wait for`}
            value=""
            onChange={(event) => onChange([...blockedBy, event.target.value])}
            className="control h-7 max-w-full px-1.5 text-xs text-soft"
          >
            <option value="">{blockedBy.length === 0 ? 'nothing; choose …' : 'add …'}</option>
            {others.map((other) => {
              const isCircle = closesCircle(items, id, other.id);
              return (
                <option key={other.id} value={other.id} disabled={isCircle}>
                  {other.title || other.id}
                  {isCircle ? ' (waits for this one)' : ''}
                </option>
              );
            })}
          </select>
        ) : blockedBy.length === 0 ? (
          <span className="text-xs text-faint">nothing</span>
        ) : null}
      </div>
    </fieldset>
  );
}

/** Whether there would be a circle if one item waited for another. */
function closesCircle(
  items: readonly Pick<Named, 'id' | 'blockedBy'>[],
  id: string,
  other: string,
): boolean {
  return findNewCircle(items, id, other) !== undefined;
}

/** Returns the circle that would arise if one item waited for another. */
export function findNewCircle(
  items: readonly Pick<Named, 'id' | 'blockedBy'>[],
  id: string,
  other: string,
): string[] | undefined {
  if (id === other) return [id, id];
  const next = items.map((it) => (it.id === id ? { id, blockedBy: [...it.blockedBy, other] } : it));
  return findCycles(next).find((circle) => circle.includes(id) && circle.includes(other));
}
