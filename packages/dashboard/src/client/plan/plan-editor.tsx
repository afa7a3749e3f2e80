import type { Membership } from '@saga-ai/types/plan/graph';
import type { DraftContent, PlanDraft } from '@saga-ai/types/screens/planning';
import { type ReactNode, useMemo, useRef } from 'react';
import { Loading } from '../ui/loading.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Segments } from '../ui/segments.tsx';
import { DraftRemarks } from './draft-remarks.tsx';
import { PlanForm } from './form/plan-form.tsx';
import { MarkdownEditor, selectLine } from './markdown-editor.tsx';
import { OrderEditor } from './order/order-editor.tsx';
import { PlanTree } from './plan-tree.tsx';
import { PLAN_VIEW_WORDS, PLAN_VIEWS, type PlanViewName } from './plan-views.ts';
import type { Check } from './use-check.ts';

interface PlanEditorProps {
  content: DraftContent;
  check: Check;
  view: PlanViewName;
  setView: (view: PlanViewName) => void;
  onChange: (content: DraftContent) => void;
  send: () => void;
  /** Ids that exist on disk. They stay when a title changes. */
  fixed: Membership;
  /** What is shown above the draft. */
  aside?: ReactNode;
}

/**
 * A draft in three views. Markdown changes a text; the form and the order change the same draft as data. The server
 * converts between text and data, and judges the draft.
 */
export function PlanEditor(props: PlanEditorProps) {
  const { content, check, view, setView, onChange, send, fixed, aside } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const { answer, isCurrent } = check;
  const plan = 'plan' in content ? content.plan : isCurrent ? (answer?.plan ?? null) : undefined;
  const text =
    'text' in content ? content.text : isCurrent ? (answer?.markdown ?? null) : undefined;
  const wrong = useMemo(() => linesOf(answer?.problems), [answer]);
  const advised = useMemo(() => linesOf(answer?.advice), [answer]);
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div ref={area} className="grid min-w-0 gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Segments
            label="Draft as"
            value={view}
            options={PLAN_VIEWS.map((it) => [it, PLAN_VIEW_WORDS[it]] as const)}
            onChange={setView}
          />
          {aside}
        </div>
        {view === 'markdown' ? (
          typeof text === 'string' ? (
            <MarkdownEditor
              label="The plan as Markdown"
              text={text}
              field={field}
              onChange={(next) => onChange({ text: next })}
              wrong={wrong}
              advised={advised}
              send={send}
            />
          ) : (
            <Unwritten isAsked={text === null} />
          )
        ) : (
          <AsData plan={plan} isPlain={answer?.isPlain !== false}>
            {(known) =>
              view === 'form' ? (
                <PlanForm
                  plan={known}
                  fixed={fixed}
                  problems={isCurrent ? (answer?.problems ?? []) : []}
                  onChange={(next) => onChange({ plan: next })}
                />
              ) : (
                <OrderEditor plan={known} onChange={(next) => onChange({ plan: next })} />
              )
            }
          </AsData>
        )}
      </div>
      <aside aria-label="Check" className="grid min-w-0 gap-6 lg:sticky lg:top-16">
        <Section id="check" title="Check">
          <DraftRemarks
            check={check}
            showLine={view === 'markdown' ? (line) => selectLine(field.current, line) : undefined}
            showField={view === 'form' ? (path) => focusField(area.current, path) : undefined}
          />
        </Section>
        {plan || answer?.plan ? (
          <Section id="preview" title="Preview">
            <div
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
              tabIndex={0}
              className="panel relative max-h-[32rem] overflow-auto px-3.5 py-3"
            >
              <PlanTree plan={(plan ?? answer?.plan) as PlanDraft} />
            </div>
          </Section>
        ) : null}
      </aside>
    </div>
  );
}

const linesOf = (remarks: readonly { line?: number }[] = []): ReadonlySet<number> =>
  new Set(remarks.flatMap(({ line }) => line ?? []));

/** A form that lacks a title, for example, cannot be written as Markdown yet. */
function Unwritten({ isAsked }: { isAsked: boolean }) {
  if (!isAsked) return <Loading />;
  return (
    <Empty title="The form is not complete, so it cannot be shown as Markdown yet.">
      Go back to the form and mend what is named under “Check”.
    </Empty>
  );
}

interface AsDataProps {
  plan: PlanDraft | null | undefined;
  isPlain: boolean;
  children: (plan: PlanDraft) => ReactNode;
}

function AsData({ plan, isPlain, children }: AsDataProps) {
  if (plan === undefined) return <Loading />;
  if (plan === null) {
    return (
      <Empty title="The text cannot be read as a plan yet.">
        Go back to Markdown and mend what is named under “Check”.
      </Empty>
    );
  }
  if (isPlain) return children(plan);
  return (
    <Empty title="This plan has characters that change the direction of text, which a form does not show.">
      Edit it as Markdown.
    </Empty>
  );
}

/** Goes to the field of a form, or to the nearest one around it. */
function focusField(area: HTMLElement | null, path: string): void {
  for (let at = path; at !== ''; at = at.replace(/(\.|^)[^.]*$/, '')) {
    // The first field of an item stands for the item.
    const found = [at, `${at}.subject`, `${at}.title`]
      .map((it) => area?.querySelector<HTMLElement>(`[data-field="${CSS.escape(it)}"]`))
      .find((it) => it != null);
    if (!found) continue;
    for (
      let fold = found.closest('details');
      fold;
      fold = fold.parentElement?.closest('details') ?? null
    )
      fold.open = true;
    found.focus();
    found.scrollIntoView({ block: 'center' });
    return;
  }
}
