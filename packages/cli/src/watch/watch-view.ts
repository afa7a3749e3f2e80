import { formatDollars, formatDuration, sumCosts } from '@saga-ai/types/words/amounts';
import { type Cell, formatRows } from '../output/rows.ts';
import type { Paint } from '../output/style.ts';
import { cleanLine, cut, measure } from '../output/text.ts';
import { describeAmounts, type WatchRow } from './watch-rows.ts';

/** What a person is asked at the bottom of the screen. */
export type Question =
  | { kind: 'stop'; id: string }
  | { kind: 'answer' | 'tell'; id: string; about: string; text: string };

export interface Screen {
  project: string;
  rows: readonly WatchRow[];
  /** The selected row, on which keys act. */
  selected: number;
  question?: Question | undefined;
  /** What the last key did, in words. */
  message: string;
  now: number;
}

export interface Canvas {
  columns: number;
  rows: number;
  paint: Paint;
}

/**
 * The number of lines besides the list: the head, the heads of columns, an empty line, three about the selected row,
 * the foot.
 */
const AROUND = 7;

/** The list of all that runs, as lines that fill the terminal. */
export function formatWatch(screen: Screen, canvas: Canvas): string[] {
  const { columns, rows, paint } = canvas;
  const room = Math.max(1, rows - AROUND);
  const table = formatTable(screen, canvas);
  const [heads = '', ...lines] = table;
  const first = findFirst(screen.selected, lines.length, room);
  const shown = lines.slice(first, first + room);
  const more = lines.length - shown.length;
  const between = more > 0 ? `… ${more} more, ↑ ↓ to reach them` : '';
  const body = screen.rows.length === 0 ? formatEmpty(paint) : shown;
  return [
    formatHead(screen, canvas),
    screen.rows.length === 0 ? '' : paint('quiet', heads),
    ...body,
    ...Array.from({ length: Math.max(0, room - body.length) }, () => ''),
    paint('quiet', cut(between, columns)),
    ...formatDetails(screen, canvas),
    formatFoot(screen, canvas),
  ].slice(0, rows);
}

/**
 * Formats a screen with the last lines of the log of one session. `back` says how many lines at the end are left out.
 */
export function formatLog(
  screen: Screen,
  row: Pick<WatchRow, 'id' | 'title'>,
  lines: readonly string[],
  back: number,
  canvas: Canvas,
): string[] {
  const { columns, rows, paint } = canvas;
  const room = Math.max(1, rows - 3);
  const end = Math.max(Math.min(room, lines.length), lines.length - back);
  const shown = lines.slice(Math.max(0, end - room), end).map((line) => cut(line, columns));
  const below = lines.length - end;
  const note = below > 0 ? `  ${below} lines below` : '';
  return [
    cut(`${paint('strong', row.id)}  ${cleanLine(row.title)}${paint('quiet', note)}`, columns),
    '',
    ...shown,
    ...Array.from({ length: Math.max(0, room - shown.length) }, () => ''),
    formatFoot(screen, canvas, true),
  ].slice(0, rows);
}

function formatHead({ project, rows, now }: Screen, { columns, paint }: Canvas): string {
  const running = rows.filter((it) => it.isRunning && it.kind === 'story').length;
  const needy = rows.filter((it) => !it.isRunning || it.tone === 'needs-you').length;
  const cost = sumCosts(rows.map((it) => it.cost));
  const parts = [
    paint('strong', cleanLine(project)),
    paint('running', `${running} running`),
    ...(needy > 0 ? [paint('needs-you', `${needy} ${needy === 1 ? 'needs' : 'need'} you`)] : []),
    ...(cost.costUsd > 0 || cost.isCostUnknown ? [`cost ${formatDollars(cost)}`] : []),
  ];
  const left = parts.join(paint('quiet', ' · '));
  const clock = new Date(now).toTimeString().slice(0, 8);
  const gap = columns - measure(left) - clock.length;
  return gap > 1 ? `${left}${' '.repeat(gap)}${paint('quiet', clock)}` : cut(left, columns);
}

const formatEmpty = (paint: Paint): string[] => [
  'Nothing runs, and nothing needs you.',
  paint(
    'quiet',
    'To start something: saga ready lists what can begin, saga run <story> starts it.',
  ),
];

/** The heads, then one line a row. */
function formatTable({ rows, selected, now }: Screen, { columns, paint }: Canvas): string[] {
  const isWide = columns >= 120;
  const head: Cell[] = [
    { text: '' },
    { text: 'story' },
    { text: 'tasks', isFigure: true },
    { text: 'at work on' },
    ...(isWide ? [{ text: 'last tool' }] : []),
    { text: 'sign', isFigure: true },
    { text: 'time', isFigure: true },
    { text: 'cost', isFigure: true },
  ];
  const cells = rows.map((row): Cell[] => [
    { text: row.glyph, tone: row.tone },
    { text: row.id },
    { text: row.progress, isFigure: true },
    { text: isWide || row.tool === '' ? row.doing : joinWork(row), flexible: true },
    ...(isWide ? [{ text: row.tool, flexible: true }] : []),
    { text: formatSign(row, now), isFigure: true },
    { text: formatElapsed(row, now), isFigure: true },
    { text: row.cost.costUsd > 0 ? formatDollars(row.cost) : '', isFigure: true },
  ]);
  const lines = formatRows([head, ...shortenIds(cells, columns)], { width: columns - 2, paint });
  return lines.map((line, i) => {
    const isSelected = i === selected + 1;
    return cut(`${isSelected ? paint('strong', '▸') : ' '} ${line}`, columns);
  });
}

/** Joins the task and its tool call. A long task is cut, so that the tool call, which says more, stays readable. */
function joinWork({ doing, tool }: WatchRow): string {
  return `${cut(cleanLine(doing), 24)} · ${tool}`;
}

/** Shortens long ids, so that there is room for what the worker does. */
function shortenIds(rows: Cell[][], columns: number): Cell[][] {
  const most = Math.max(12, Math.floor(columns / 4));
  return rows.map((row) =>
    row.map((cell, i) => (i === 1 ? { ...cell, text: cut(cell.text, most) } : cell)),
  );
}

const formatSign = ({ signAt }: WatchRow, now: number) =>
  signAt === undefined ? '' : formatDuration(now - signAt);

const formatElapsed = ({ startedAt }: WatchRow, now: number) =>
  startedAt === undefined ? '' : formatDuration(now - Date.parse(startedAt));

/** Three lines about the selected row, in full where they fit. */
function formatDetails({ rows, selected, now }: Screen, { columns, paint }: Canvas): string[] {
  const row = rows[selected];
  if (!row) return ['', '', ''];
  const sign = formatSign(row, now);
  const facts = [
    ...describeAmounts(row),
    ...(row.startedAt === undefined ? [] : [`for ${formatElapsed(row, now)}`]),
    ...(sign === '' ? [] : [`last sign ${sign} ago`]),
    ...(row.blocker === undefined ? [] : [`a answers: ${row.blocker}`]),
  ];
  const head = `${paint('strong', row.id)}  ${cleanLine(row.title)}`;
  const what = [row.doing, row.tool].filter((it) => it !== '').join(' · ');
  return [
    cut(head, columns),
    cut(`  ${cleanLine(what)}`, columns),
    cut(paint('quiet', `  ${cleanLine(facts.join(' · '))}`), columns),
  ];
}

function formatFoot(screen: Screen, { columns, paint }: Canvas, isLog = false): string {
  const { question, message } = screen;
  if (question) return formatQuestion(question, columns, paint);
  if (message !== '') return cut(cleanLine(message), columns);
  const row = screen.rows[screen.selected];
  const keys = [
    isLog ? '↑ ↓ scroll' : '↑ ↓ choose  enter log',
    ...(row?.isRunning && row.kind === 'story' ? ['t tell'] : []),
    ...(row?.blocker === undefined ? [] : ['a answer']),
    ...(row?.isRunning ? ['s stop'] : []),
    isLog ? 'q back' : 'q quit',
  ];
  return paint('quiet', cut(keys.join('  '), columns));
}

function formatQuestion(question: Question, columns: number, paint: Paint): string {
  if (question.kind === 'stop') {
    return cut(paint('needs-you', `Stop ${question.id}? What it did is kept. y / n`), columns);
  }
  const { kind, id, about, text } = question;
  const lead = kind === 'tell' ? `Tell ${id}: ` : `${cut(cleanLine(about), 30)} → `;
  // The end of a long text is what is being typed.
  const room = Math.max(10, columns - measure(lead) - 2);
  let shown = cleanLine(text);
  while (measure(shown) > room) shown = shown.slice(1);
  return `${paint('strong', lead)}${shown}${text.endsWith(' ') ? ' ' : ''}█`;
}

/** The first line of a window that contains the selected one. */
function findFirst(selected: number, count: number, room: number): number {
  return Math.max(0, Math.min(selected - Math.floor(room / 2), count - room));
}
