import { Panel, useReactFlow } from '@xyflow/react';

const BUTTON = 'grid size-7 place-items-center text-soft hover:bg-hover hover:text-ink';

export function GraphControls() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-right">
      <div className="panel flex divide-x divide-line overflow-hidden text-sm">
        <button type="button" className={BUTTON} aria-label="Zoom out" onClick={() => zoomOut()}>
          −
        </button>
        <button type="button" className={BUTTON} aria-label="Zoom in" onClick={() => zoomIn()}>
          +
        </button>
        <button
          type="button"
          className={`${BUTTON} w-10 text-xs`}
          aria-label="Fit the whole graph"
          onClick={() => fitView({ padding: 0.06, maxZoom: 1 })}
        >
          fit
        </button>
      </div>
    </Panel>
  );
}
