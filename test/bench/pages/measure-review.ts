import { createProject, type Project } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';
import type { Page } from './open-tabs.ts';

export const FILES = 300;
export const LINES = 20_000;

/** A story whose branch changes 300 files, 20,000 lines in all. */
export function createLargeReview(): Project {
  const it = createProject({ remote: null });
  it.story('large', {}, { one: {} });
  const each = Math.round(LINES / FILES / 2);
  const write = (name: string) => {
    for (let file = 0; file < FILES; file++) {
      const lines = Array.from(
        { length: each },
        (_, n) => `export const ${name}${n}: number = compute(${n}, "text of ${file}"); // ${n}`,
      );
      it.write(`src/folder${file % 20}/file${file}.ts`, `${lines.join('\n')}\n`);
    }
  };
  write('before');
  commitAll(it.gitIn, it.root, 'Before');
  it.git('switch', '-q', '-c', 'story/large');
  write('after');
  commitAll(it.gitIn, it.root, 'After');
  it.git('switch', '-q', 'main');
  return it;
}

export interface ReviewFigures {
  /** Milliseconds from the start of the page until the first file is shown. */
  firstFile: number;
  /** The median of the time between two frames while it is scrolled, in milliseconds. */
  frame: number;
  /** Processor time of the main thread for each of these frames, in milliseconds. */
  work: number;
  /** Megabytes of JavaScript heap after all files were shown. */
  heap: number;
  /** The number of elements on the page then. */
  elements: number;
}

/** Pixels in a frame: as fast as a person reads, and as a wheel turns. */
const STEP = 60;
const FRAMES = 300;

export async function measureReview(page: Page, url: string): Promise<ReviewFigures> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (name: string) => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find((it) => it.name === name)?.value ?? Number.NaN;
  };
  await page.goto(url);
  await page.locator('.diff-row').first().waitFor();
  const firstFile = (await page.evaluate('performance.now()')) as number;
  const before = await read('TaskDuration');
  const frame = (await page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('[data-diff]');
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      scroller.scrollTop += ${STEP};
      if (times.length < ${FRAMES}) requestAnimationFrame(step);
      else resolve(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]);
    };
    requestAnimationFrame(step);
  })`)) as number;
  const work = (((await read('TaskDuration')) - before) * 1000) / FRAMES;
  await showAll(page);
  await client.send('HeapProfiler.collectGarbage');
  const heap = (await read('JSHeapUsedSize')) / 1e6;
  const elements = (await page.evaluate('document.querySelectorAll("*").length')) as number;
  return { firstFile, frame, work, heap, elements };
}

/** Goes to the end, one screen after the other, so that every file is loaded. */
async function showAll(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const scroller = document.querySelector('[data-diff]');
    const isLoading = () => document.querySelector('[data-unloaded]') !== null;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let left = 20000; left > 0; left--) {
      if (!isLoading()) {
        const before = scroller.scrollTop;
        scroller.scrollTop += scroller.clientHeight;
        if (scroller.scrollTop === before) return;
      }
      await frame();
    }
  })()`);
}
