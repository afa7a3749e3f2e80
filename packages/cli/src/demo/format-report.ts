import { STATES } from '@saga-ai/types/screens/story-state';
import { count } from '@saga-ai/types/words/amounts';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import type { Output } from '../output/output.ts';
import { type Cell, formatRows } from '../output/rows.ts';
import { formatProgress } from '../output/state.ts';
import type { StoryResult } from './collect-results.ts';
import type { TestCount } from './count-tests.ts';
import { ANSWER, SAMPLE_PLAN } from './sample-plan.ts';

export interface DemoReport {
  results: readonly StoryResult[];
  testsBefore: TestCount;
  testsAfter: TestCount;
  receipt: readonly string[] | undefined;
  storiesMs: number;
  totalMs: number;
  folder: string;
  /** A checkout of what is merged so far. */
  merged: string;
  saga: string;
  stays: boolean;
  /** The scheduler has ended, so somebody must start it again after the answer. */
  isOver: boolean;
}

/** Says what the stories produced, how to look at it, and what waits for a person. */
export function formatReport(report: DemoReport, out: Output): string[] {
  const { results, testsBefore, testsAfter, receipt, storiesMs, totalMs } = report;
  const done = results.filter((it) => it.evidence?.holds);
  const commits = results.reduce((sum, it) => sum + it.commits, 0);
  const branches = results.filter((it) => it.branch !== null).length;
  return [
    '',
    ...formatRows(results.map(toRow), out),
    '',
    `${count(branches, 'branch', 'branches')} with ${count(commits, 'commit')} · ${done.length} merged into ${formatEpicBranch(SAMPLE_PLAN.id)} after their checks passed`,
    `tests that pass: ${testsBefore.passed} before, ${testsAfter.passed} of ${testsAfter.total} now`,
    `${seconds(storiesMs)} for the stories, ${seconds(totalMs)} in total, no money spent`,
    ...(receipt ? ['', 'The till adds up now:', ...receipt.map((line) => `  ${line}`)] : []),
    ...results.flatMap((it) => (it.question === null ? [] : describeQuestion(it, report, out))),
    '',
    ...(report.stays
      ? [
          `repository  ${report.folder}`,
          `merged      ${report.merged}`,
          `look        ${report.saga} status`,
          '            and: show till · logs cart · verify receipt',
        ]
      : [
          'The folder of the demo is removed. To keep it and answer the question: saga demo --keep',
        ]),
  ];
}

function toRow(result: StoryResult): Cell[] {
  const { id, progress, commits, evidence, question, trouble, waitsFor, state } = result;
  const isDone = state === 'done' && evidence?.holds === true;
  const isNeedy = question !== null || trouble !== null;
  const { glyph, tone } = STATES[isDone ? 'done' : isNeedy ? 'needs-you' : 'waiting'];
  return [
    { text: glyph, tone },
    { text: id },
    { text: formatProgress(progress) },
    { text: commits > 0 ? count(commits, 'commit') : '' },
    { text: describe(result, waitsFor), tone, flexible: true },
  ];
}

function describe(result: StoryResult, waitsFor: readonly string[]) {
  const { evidence, question, trouble, state } = result;
  if (evidence) return evidence.holds ? 'its tests pass, gate passed' : 'evidence does not hold';
  if (question ?? trouble) return `needs you: ${question ?? trouble}`;
  return waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : state;
}

function describeQuestion({ id, question }: StoryResult, report: DemoReport, out: Output) {
  return [
    '',
    out.paint('needs-you', `${id} asks: ${question}`),
    ...(report.stays ? [`  → ${report.saga} resolve ${id} --with "${ANSWER}"`] : []),
    ...(report.stays && report.isOver ? [`  → ${report.saga} run ${SAMPLE_PLAN.id}`] : []),
  ];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
