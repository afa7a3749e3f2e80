import { Panel, useReactFlow } from '@xyflow/react';

const BUTTON = 'grid h-7 min-w-7 place-items-center px-1.5 text-soft hover:bg-hover hover:text-ink';

interface GraphControlsProps {
  /** The number of finished nodes that can be folded. */
  finished: number;
  isFolded: boolean;
  toggle: () => void;
}

export function GraphControls({ finished, isFolded, toggle }: GraphControlsProps) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-right">
      <div className="panel flex divide-x divide-line overflow-hidden text-sm">
        {finished > 0 ? (
          <button type="button" className={`${BUTTON} px-2.5 text-xs`} onClick={toggle}>
            {isFolded ? `show ${finished} done` : `fold ${finished} done`}
          </button>
        ) : null}
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
          onClick={() => fitView({ padding: 0.04, maxZoom: 1 })}
        >
          fit
        </button>
      </div>
    </Panel>
  );
}
