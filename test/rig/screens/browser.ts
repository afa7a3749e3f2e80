import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Paths } from '@saga-ai/core/project/paths';
import { afterAll, expect } from 'vitest';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from '../../../packages/dashboard/node_modules/playwright-core/index.js';
import { openDashboard, type TestDashboard } from './dashboard.ts';

export type { Page };

export const CLIENT = fileURLToPath(
  new URL('../../../packages/dashboard/dist/client', import.meta.url),
);

/** The browser is driven by the playwright that the dashboard package depends on. */
const ofDashboard = createRequire(
  new URL('../../../packages/dashboard/package.json', import.meta.url),
);

/** The real server and a real Chromium that looks at it. */
export interface Screen extends AsyncDisposable {
  server: TestDashboard;
  origin: string;
  /**
   * Opens a page with storage of its own, at the path. Without a token the page is locked. Its errors are kept in
   * `complaints`.
   */
  open(path: string, options?: BrowserContextOptions & { token?: boolean }): Promise<Page>;
  /** Another tab of the same browser, with the same storage. */
  tab(page: Page, path: string): Promise<Page>;
  /** Goes to another path with the same page, and waits until the page is there and receives changes. */
  visit(page: Page, path: string): Promise<void>;
  /** The errors of the pages: exceptions, refused policies, failed requests. */
  complaints: string[];
}

export async function openScreen(
  paths: Paths,
  options: Partial<Parameters<typeof openDashboard>[0]> = {},
): Promise<Screen> {
  const server = await openDashboard({ paths, clientFolder: CLIENT, ...options });
  await server.dashboard.isFollowing;
  const browser = await ensureBrowser();
  const contexts: BrowserContext[] = [];
  const origin = `http://127.0.0.1:${server.dashboard.port}`;
  const complaints: string[] = [];
  const visit = async (page: Page, path: string, { isLocked = false } = {}) => {
    await page.goto(`${origin}${path}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    if (isLocked) return;
    await page.getByRole('status').getByText('live').waitFor({ state: 'attached' });
  };
  const watch = (page: Page, path: string) => {
    page.setDefaultTimeout(300_000);
    page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  };
  return {
    server,
    origin,
    complaints,
    visit,
    async tab(page, path) {
      const next = await page.context().newPage();
      watch(next, path);
      await visit(next, path);
      return next;
    },
    async open(path, { token = true, ...context } = {}) {
      const size = { width: 1440, height: 900 };
      const own = await browser.newContext({ viewport: size, ...context });
      contexts.push(own);
      const page = await own.newPage();
      watch(page, path);
      const [address = '', hash = ''] = path.split('#');
      const secret = `${path.includes('?') ? '&' : '?'}token=${server.dashboard.token}`;
      const shown = `${address}${token ? secret : ''}${hash === '' ? '' : `#${hash}`}`;
      await visit(page, shown, { isLocked: !token });
      return page;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(contexts.map((context) => context.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}

/** One browser for all tests of a file, because starting it takes longer than most tests. */
let browser: Promise<Browser> | undefined;

function ensureBrowser(): Promise<Browser> {
  const { chromium } = ofDashboard('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  browser ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  return browser;
}

afterAll(async () => (await browser)?.close());

/** Expects what the page will return once it is ready. A busy machine may take long. */
export const eventually = <T>(ask: () => T, about?: string) =>
  expect.poll(ask, about === undefined ? {} : { message: about });

/** Expects the text that a part of the page will have: `await textOf(part).toMatch(/…/)`. */
export const textOf = (part: Locator) => eventually(() => part.textContent());

/** Expects the part of the address after the path that the page will have. */
export const searchOf = (page: Page) => eventually(() => new URL(page.url()).search);

/**
 * Resolves once the page has drawn everything and has no work left, so that it listens for keys. Call this before a
 * test presses a key once, and before it asserts that nothing happened.
 */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => done())))',
  );

interface Finding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/**
 * Expects that axe finds no barriers on the page. Tries again, because a part that loads or fades may be one for a
 * moment.
 */
export const expectNoBarriers = (page: Page, { about, rules }: Look = {}) =>
  eventually(() => findBarriers(page, rules), about).toEqual([]);

/** Expects that the page cannot be scrolled sideways. */
export const expectNoOverflow = (page: Page, about?: string) =>
  eventually(() => page.evaluate(OVERFLOW), about).toBe(0);

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

interface Look {
  /** What is examined, for the message. */
  about?: string;
  /** Some rules of axe instead of all. */
  rules?: string[];
}

/** Returns the barriers that axe finds, from moderate ones on. */
async function findBarriers(page: Page, rules: string[] | undefined): Promise<string[]> {
  // The page's policy forbids added scripts, but it does not apply to the browser's own debugger.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(loadAxe());
  const options = { resultTypes: ['violations'], runOnly: rules };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then((it) => it.violations)`,
  )) as Finding[];
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} ${node.target.join(' ')}: ${node.failureSummary}`),
    );
}

const loadAxe = () => readFileSync(ofDashboard.resolve('axe-core/axe.min.js'), 'utf8');
