import { lazy, Suspense } from 'react';

const load = () => import('./markdown.tsx');
const Markdown = lazy(load);
// The renderer starts to load before the first text arrives.
void load();

/** Shows the plain text until the renderer is loaded, so that the page does not jump. */
export function Rendered({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}
