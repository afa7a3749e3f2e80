import { createRequire } from 'node:module';
import type {
  Browser,
  BrowserContext,
  Page,
} from '../../../packages/dashboard/node_modules/playwright-core/index.js';

export type { Page };

/** One browser, as a person has it: all tabs share its storage and its connections. */
export interface Tabs extends AsyncDisposable {
  open(url: string): Promise<Page>;
}

export async function openTabs(): Promise<Tabs> {
  const from = createRequire(new URL('../../../packages/dashboard/package.json', import.meta.url));
  const { chromium } = from('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1440, height: 900 },
  });
  return {
    async open(url) {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(url);
      await page.getByRole('status').getByText('live').waitFor({ state: 'attached' });
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
    },
  };
}

/** Milliseconds of the clock, at which the page shows a text for the first time from now on. */
export function whenShown(page: Page, text: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const isThere = () => document.querySelector('main').textContent.includes(${JSON.stringify(text)});
    const now = () => performance.timeOrigin + performance.now();
    if (isThere()) return resolve(now());
    const watch = new MutationObserver(() => {
      if (!isThere()) return;
      watch.disconnect();
      resolve(now());
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  })`);
}

/**
 * The share of the time that the main thread of a page was busy while something happened: its processor time, so
 * that others on this machine do not count.
 */
export async function measureBusy(page: Page, act: () => Promise<void>): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readSeconds = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find((it) => it.name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await readSeconds();
  const start = performance.now();
  await act();
  return ((await readSeconds()) - before) / ((performance.now() - start) / 1000);
}
