import type { Page } from './browser.ts';

/**
 * Notes every node of a graph that the page hides from now on, be it for less than a frame: a hidden node cannot
 * be focused, so a key that comes at that moment is lost. Returns a function that lists their ids.
 */
export async function watchHiddenNodes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`(() => {
    window.hiddenNodes = [];
    const look = (changes) => {
      for (const { target } of changes)
        if (target.classList.contains('react-flow__node') && target.style.visibility === 'hidden')
          window.hiddenNodes.push(target.dataset.id);
    };
    const options = { subtree: true, attributes: true, attributeFilter: ['style'] };
    new MutationObserver(look).observe(document.querySelector('.react-flow'), options);
  })()`);
  return () => page.evaluate<string[]>('window.hiddenNodes');
}
