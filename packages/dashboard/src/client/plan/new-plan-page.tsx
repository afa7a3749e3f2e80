import type { NewPlanAnswer } from '@saga-ai/types/screens/planning';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/loading.tsx';
import { notify } from '../ui/notices.ts';
import { Segments } from '../ui/segments.tsx';
import { useTitle } from '../ui/use-title.ts';
import { ClaudePlanner } from './claude/claude-planner.tsx';
import { DraftBar } from './draft-bar.tsx';
import { createPlan, newPlanQuery } from './plan-api.ts';
import { PlanEditor } from './plan-editor.tsx';
import type { PlanViewName } from './plan-views.ts';
import { useCheck } from './use-check.ts';
import { useDraft } from './use-draft.ts';

const route = getRouteApi('/plan/new');

/** A page for a plan that does not exist yet: written by hand, or proposed by Claude Code. */
export function NewPlanPage() {
  const { data, error, refetch } = useQuery(newPlanQuery);
  useTitle('New plan');
  if (data) return <NewPlan key={data.project} begin={data} />;
  return <Page wide>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
}

function NewPlan({ begin: { project, templates, usualUsd } }: { begin: NewPlanAnswer }) {
  const { by, view = 'markdown' } = route.useSearch();
  const navigate = route.useNavigate();
  const draft = useDraft(project, 'new');
  const [template, setTemplate] = useState(
    () => templates.find(({ name }) => name === 'story')?.text ?? '',
  );
  const setView = (next: PlanViewName) =>
    navigate({
      search: next === 'markdown' ? {} : { view: next },
      replace: true,
      resetScroll: false,
    });
  const open = (markdown: string) => {
    if (draft.kept) draft.drop();
    draft.change({ text: markdown }, null);
    void navigate({ search: {} });
  };
  return (
    <Page wide>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-semibold">New plan</h1>
        <Segments
          label="How"
          value={by ?? 'hand'}
          options={[
            ['hand', 'Write it'],
            ['claude', 'Plan with Claude'],
          ]}
          onChange={(next) =>
            navigate({ search: next === 'claude' ? { by: 'claude' } : {}, replace: true })
          }
        />
      </div>
      {by === 'claude' ? (
        <ClaudePlanner usualUsd={usualUsd} open={open} hasDraft={draft.kept !== null} />
      ) : (
        <WrittenPlan
          draft={draft}
          template={template}
          setTemplate={setTemplate}
          templates={templates}
          view={view}
          setView={setView}
        />
      )}
    </Page>
  );
}

interface WrittenPlanProps {
  draft: ReturnType<typeof useDraft>;
  templates: NewPlanAnswer['templates'];
  template: string;
  setTemplate: (text: string) => void;
  view: PlanViewName;
  setView: (view: PlanViewName) => void;
}

function WrittenPlan(props: WrittenPlanProps) {
  const { draft, templates, template, setTemplate, view, setView } = props;
  const { kept, change, drop } = draft;
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const content = useMemo(() => kept?.content ?? { text: template }, [kept, template]);
  const check = useCheck(content, undefined);
  const create = useMutation({
    mutationFn: createPlan,
    onSuccess: ({ epic, stories, message, hint }) => {
      drop();
      notify(message, { hint });
      void client.invalidateQueries();
      const id = epic ?? stories[0] ?? '';
      void navigate({ to: epic === undefined ? '/stories/$id' : '/epics/$id', params: { id } });
    },
  });
  const problems = check.answer?.problems.length ?? 0;
  const obstacle =
    kept === null
      ? 'Replace the words of the template first.'
      : check.isCurrent && problems > 0
        ? 'Mend the problems first. What you type is kept in this browser.'
        : undefined;
  const send = () => {
    if (obstacle === undefined && !create.isPending) create.mutate({ content });
  };
  return (
    <>
      <DraftBar
        draft={draft}
        verb="Create"
        isBusy={create.isPending}
        obstacle={obstacle}
        problems={kept ? problems : 0}
        send={send}
        error={create.error}
      />
      <PlanEditor
        content={content}
        check={check}
        view={view}
        setView={setView}
        onChange={(next) => change(next, null)}
        send={send}
        fixed={NOTHING}
        aside={
          kept ? null : (
            <span className="flex flex-wrap items-center gap-2 text-sm text-soft">
              Begin with
              {templates.map(({ name, text }) => (
                <Button
                  key={name}
                  aria-pressed={text === template}
                  className={text === template ? 'bg-plain-wash' : ''}
                  onClick={() => setTemplate(text)}
                >
                  {name}
                </Button>
              ))}
            </span>
          )
        }
      />
    </>
  );
}

const NOTHING: ReadonlySet<string> = new Set();
