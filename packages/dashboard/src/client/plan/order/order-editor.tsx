import type { PlanDraft } from '@saga-ai/types/screens/planning';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Empty } from '../../ui/notice.tsx';
import { isEpic } from '../edit-draft.ts';
import { findNewCircle, WaitsFor } from '../form/waits-for.tsx';
import { listOrderItems, setBlockedBy } from './order-items.ts';

const OrderGraph = lazy(() => import('./order-graph.tsx'));

interface OrderEditorProps {
  plan: PlanDraft;
  onChange: (plan: PlanDraft) => void;
}

/** Shows what waits for what, as a graph. The person adds lines by dragging, by keyboard, or from a list. */
export function OrderEditor({ plan, onChange }: OrderEditorProps) {
  const items = useMemo(() => listOrderItems(plan), [plan]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [said, setSaid] = useState<{ text: string; isRefusal: boolean }>();
  if (items.length < 2) {
    const what = isEpic(plan) ? 'story' : 'task';
    return (
      <Empty title="There is nothing to put in order yet.">
        With a second {what}, one of them can wait for the other. Add it in the form.
      </Empty>
    );
  }
  const own = items.find(({ id }) => id === chosen) ?? items[0];
  const titleOf = (id: string) => items.find((it) => it.id === id)?.title ?? id;
  const blockedByOf = (id: string) => items.find((it) => it.id === id)?.blockedBy ?? [];
  const connect = (first: string, second: string) => {
    const circle = findNewCircle(items, second, first);
    if (blockedByOf(second).includes(first)) return;
    if (circle) {
      const way = circle.length > 2 ? circle.map(titleOf).join(' → ') : titleOf(first);
      setSaid({
        text: `Not drawn: ${titleOf(second)} would wait for itself (${way}).`,
        isRefusal: true,
      });
      return;
    }
    setSaid({ text: `${titleOf(second)} waits for ${titleOf(first)} now.`, isRefusal: false });
    onChange(setBlockedBy(plan, second, [...blockedByOf(second), first]));
  };
  const disconnect = (first: string, second: string) => {
    setSaid({
      text: `${titleOf(second)} no longer waits for ${titleOf(first)}.`,
      isRefusal: false,
    });
    onChange(
      setBlockedBy(
        plan,
        second,
        blockedByOf(second).filter((it) => it !== first),
      ),
    );
  };
  return (
    <div className="grid min-w-0 gap-3">
      <p className="text-sm text-soft">
        Drag from the dot of one to another that must wait for it. By keyboard: arrows, <Key>w</Key>{' '}
        to pick one up, <Key>Enter</Key> on what must wait.
      </p>
      <Suspense fallback={<div className="panel h-80" />}>
        <OrderGraph
          items={items}
          chosen={chosen}
          choose={setChosen}
          connect={connect}
          disconnect={disconnect}
        />
      </Suspense>
      <p
        role="status"
        className={`min-h-5 text-sm ${said?.isRefusal ? 'text-needs-you' : 'text-soft'}`}
      >
        {said ? `${said.isRefusal ? '✗ ' : ''}${said.text}` : ''}
      </p>
      {own ? (
        <div className="panel grid gap-2 p-4">
          <label className="grid gap-1 text-sm sm:grid-cols-[7rem_minmax(0,1fr)] sm:items-center sm:gap-x-4">
            <span className="text-faint">{isEpic(plan) ? 'Story' : 'Task'}</span>
            <select
              value={own.id}
              onChange={(event) => setChosen(event.target.value)}
              className="control h-8 min-w-0 max-w-full px-2 text-sm"
            >
              {items.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <WaitsFor
            id={own.id}
            items={items}
            path="order"
            onChange={(blockedBy) => onChange(setBlockedBy(plan, own.id, blockedBy))}
          />
        </div>
      ) : null}
    </div>
  );
}

const Key = ({ children }: { children: string }) => (
  <kbd className="rounded border border-line bg-panel px-1 font-mono text-xs">{children}</kbd>
);
