import { lazy, Suspense } from 'react';

const load = () => import('./markdown.tsx');
const Markdown = lazy(load);
// On its way before the first text is there.
void load();

/** The plain text stands in until the renderer is there, so nothing jumps far. */
export function Rendered({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}
