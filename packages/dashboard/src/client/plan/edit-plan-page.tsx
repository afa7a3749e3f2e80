import type { Membership } from '@saga-ai/types/plan/graph';
import type { PlanDocumentAnswer, PlanDraft, SaveAnswer } from '@saga-ai/types/screens/planning';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Page } from '../shell/page.tsx';
import { Failure } from '../ui/failure.tsx';
import { Hint } from '../ui/hint.tsx';
import { Loading } from '../ui/loading.tsx';
import { notify } from '../ui/notices.ts';
import { useTitle } from '../ui/use-title.ts';
import { DraftBar } from './draft-bar.tsx';
import { isEpic, storiesOf } from './edit-draft.ts';
import { NewerPlan } from './newer-plan.tsx';
import { checkQuery, documentQuery, saveDocument } from './plan-api.ts';
import { PlanEditor } from './plan-editor.tsx';
import type { PlanViewName } from './plan-views.ts';
import { useCheck } from './use-check.ts';
import { useDraft } from './use-draft.ts';

const route = getRouteApi('/plan/$id');

/** The plan of a story with its tasks, or of an epic with its stories, to be changed in place. */
export function EditPlanPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(documentQuery(id));
  useTitle(data ? `Edit ${data.title}` : id);
  if (data) return <EditPlan key={`${data.project} ${id}`} document={data} />;
  return <Page wide>{error ? <Failure error={error} retry={refetch} isPage /> : <Loading />}</Page>;
}

function EditPlan({ document }: { document: PlanDocumentAnswer }) {
  const { id, kind, project, held } = document;
  const { view = 'form' } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const draft = useDraft(project, id);
  const { kept, change, drop, finish } = draft;
  const content = useMemo(() => kept?.content ?? { text: document.text }, [kept, document.text]);
  const version = kept?.version ?? document.version;
  const isOutdated = kept !== null && version !== document.version;
  const check = useCheck(content, id);
  const { data: before } = useQuery(checkQuery({ content: { text: document.text }, item: id }));
  const fixed = useMemo(() => (before ? listIds(before.plan) : EVERYTHING), [before]);
  const take = (answer: PlanDocumentAnswer) =>
    client.setQueryData(documentQuery(id).queryKey, answer);
  const save = useMutation({
    mutationFn: () => saveDocument(id, { content, version }),
    onSuccess: (answer: SaveAnswer) => {
      take(answer.saved ? answer.document : answer.newer);
      if (!answer.saved) return;
      finish();
      notify(answer.message, { hint: 'Commit it: git add .saga && git commit' });
      void client.invalidateQueries({ queryKey: ['story'] });
      void client.invalidateQueries({ queryKey: ['epic'] });
      void client.invalidateQueries({ queryKey: ['home'] });
    },
  });
  const problems = check.answer?.problems.length ?? 0;
  const obstacle =
    kept === null
      ? 'Nothing is changed yet.'
      : held
        ? 'It cannot be saved now. What you type is kept in this browser.'
        : isOutdated
          ? 'The plan changed meanwhile: choose below.'
          : check.isCurrent && problems > 0
            ? 'Mend the problems first. What you type is kept in this browser.'
            : undefined;
  const send = () => {
    if (obstacle === undefined && !save.isPending) save.mutate();
  };
  const setView = (next: PlanViewName) =>
    navigate({ search: next === 'form' ? {} : { view: next }, replace: true, resetScroll: false });
  return (
    <Page wide>
      <p className="mb-1 flex flex-wrap items-center gap-x-2 text-xs text-faint">
        <span>{kind}</span>
        <Link
          to={kind === 'epic' ? '/epics/$id' : '/stories/$id'}
          params={{ id }}
          className="link font-mono"
        >
          {id}
        </Link>
      </p>
      <h1 className="mb-2 text-xl font-semibold">
        <span className="font-normal text-faint">Edit</span> {document.title}
      </h1>
      <DraftBar
        draft={draft}
        verb="Save"
        isBusy={save.isPending}
        obstacle={obstacle}
        problems={kept ? problems : 0}
        send={send}
        error={save.error}
      />
      <div className="mb-4 grid gap-3 empty:hidden">
        {held ? (
          <p className="panel border-l-[3px] border-l-running px-4 py-3">
            <span aria-hidden="true" className="mr-1.5 font-glyph text-running">
              ●
            </span>
            {held.message}{' '}
            <span className="text-soft">
              <Hint text={held.hint} />
            </span>
          </p>
        ) : null}
        {isOutdated ? (
          <NewerPlan
            newer={document}
            keepMine={() => kept && change(kept.content, document.version)}
            takeNewer={drop}
          />
        ) : null}
      </div>
      <PlanEditor
        content={content}
        check={check}
        view={view}
        setView={setView}
        onChange={(next) => change(next, version)}
        send={send}
        fixed={fixed}
      />
    </Page>
  );
}

/** Contains every id. Until the page knows which ids exist on disk, no id changes with its title. */
const EVERYTHING: Membership = { has: () => true };

/** Lists all ids of a plan that exists. The id of a task includes its story. */
function listIds(plan: PlanDraft | null): ReadonlySet<string> {
  if (plan === null) return new Set();
  const stories = storiesOf(plan);
  return new Set([
    ...(isEpic(plan) ? [plan.id] : []),
    ...stories.map(({ id }) => id),
    ...stories.flatMap(({ id, tasks }) => tasks.map((task) => `${id}/${task.id}`)),
  ]);
}
