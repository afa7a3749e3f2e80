import type { EpicRun, EpicRunAnswer, RunRow } from '@saga-ai/types/screens/epic-run/epic-run';
import { type ReactNode, useEffect } from 'react';
import { chooseTiles } from './choose-tiles.ts';
import type { EpicViewName } from './epic-search.ts';
import { Inspector } from './inspector/inspector.tsx';
import { RunTable } from './run-table.tsx';
import { Tiles } from './tiles.tsx';
import { Timeline } from './timeline.tsx';
import { useChoose } from './use-choice.ts';
import { useGoOn } from './use-epic-action.ts';

interface RunViewsProps {
  epicId: string;
  answer: EpicRunAnswer;
  run: EpicRun;
  view: EpicViewName;
  /** The rows that match the filter. */
  rows: readonly RunRow[];
  /** The id of the story that the inspector shows. */
  story: string | undefined;
  /** The graph, if that is the view. */
  graph: ReactNode;
}

/** The stories of a run, with the inspector beside them. */
export function RunViews({ epicId, answer, run, view, rows, story, graph }: RunViewsProps) {
  const chosen = answer.stories.find((it) => it.id === story);
  const goOn = useGoOn(epicId, answer);
  useViewKeys(view, rows, run.jobs, chosen !== undefined);
  return (
    <div className={chosen ? 'run-views' : 'grid min-w-0'}>
      <div className="min-w-0">
        {view === 'timeline' ? <Timeline run={run} rows={rows} chosen={chosen} /> : null}
        {view === 'wall' ? <Tiles rows={rows} jobs={run.jobs} chosen={chosen?.id} /> : null}
        {view === 'table' ? <RunTable rows={rows} chosen={chosen?.id} /> : null}
        {view === 'graph' ? graph : null}
      </div>
      {chosen ? <Inspector key={chosen.id} answer={answer} row={chosen} goOn={goOn} /> : null}
    </div>
  );
}

/** Escape closes the inspector; among the tiles the keys 1 to 9 open one in it. */
function useViewKeys(view: EpicViewName, rows: readonly RunRow[], jobs: number, isOpen: boolean) {
  const choose = useChoose();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest?.('input, textarea, select, dialog[open]');
      if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === 'Escape' && isOpen) choose(undefined);
      if (view !== 'wall' || !/^[1-9]$/.test(event.key)) return;
      const tile = chooseTiles(rows, jobs).active[Number(event.key) - 1];
      if (tile) choose(tile.id);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [view, rows, jobs, isOpen, choose]);
}
