import type { PlanDocumentAnswer } from '@saga-ai/types/screens/planning';
import { Button } from '../ui/button.tsx';

interface NewerPlanProps {
  newer: PlanDocumentAnswer;
  /** Keeps what was typed, as a change of the newer plan. */
  keepMine: () => void;
  takeNewer: () => void;
}

/** Says that the plan was changed meanwhile, shows it, and lets the person choose. Nothing typed is lost. */
export function NewerPlan({ newer, keepMine, takeNewer }: NewerPlanProps) {
  return (
    <section
      aria-label="The plan changed meanwhile"
      className="panel border-l-[3px] border-l-waiting px-4 py-3"
    >
      <p className="font-medium">
        <span aria-hidden="true" className="mr-1.5 font-glyph text-waiting">
          !
        </span>
        {newer.id} was changed on disk since you began. Your text is still here and was not saved.
      </p>
      <details className="mt-2">
        <summary className="link inline text-sm">Show the newer plan</summary>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
          tabIndex={0}
          className="mt-2 max-h-80 overflow-auto whitespace-pre-wrap rounded-md bg-sunken p-3 font-mono text-xs"
        >
          {newer.text}
        </pre>
      </details>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={takeNewer}>Take the newer plan and drop my text</Button>
        <Button onClick={keepMine}>Keep my text, to save it over the newer plan</Button>
      </div>
    </section>
  );
}
