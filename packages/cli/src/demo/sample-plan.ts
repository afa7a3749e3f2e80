import type { Rehearsal } from '@saga-ai/types/plan/task';

/**
 * The plan for the till: a diamond (money, then cart and discounts, then the receipt), a story with a
 * question that only a person can answer, and a story that waits for it. Each task says what the
 * scripted model does for it.
 */
const SAMPLE_EPIC = 'till';
const QUESTION = 'Which tax rate do books have?';
export const ANSWER = '7 percent';

export const SAMPLE_PLAN = {
  id: SAMPLE_EPIC,
  title: 'A till that adds up',
  description: 'From words on the command line to a printed receipt, one tested step at a time.',
  stories: [
    story(
      'money',
      'Amounts of money',
      'Amounts are cents inside, and look like 12.50 outside.',
      [],
      {
        'money-parse': task('Read amounts', 'parseMoney turns "12.50" into 1250.', {
          write: { 'src/money.js': parse() },
          commit: 'money: read amounts as cents',
        }),
        'money-format': task('Write amounts', 'formatMoney turns 1250 into "12.50".', {
          write: { 'src/money.js': parse() + format() },
          run: ['node --test test/money.test.js'],
          journal: {
            kind: 'Decision',
            title: 'Money is counted in cents',
            body: 'Whole numbers add up exactly; 0.1 + 0.2 does not.',
          },
          commit: 'money: write cents as amounts',
        }),
      },
    ),
    story('cart', 'What is bought', 'A line says how many of what at which price.', ['money'], {
      'cart-lines': task('Read lines', 'readLine understands "2 tea 3.20".', {
        write: { 'src/cart.js': readLines() },
        commit: 'cart: read lines',
      }),
      'cart-total': task('Add up', 'totalOf adds the lines up.', {
        write: { 'src/cart.js': readLines() + total() },
        run: ['node --test test/cart.test.js'],
        commit: 'cart: add up',
      }),
    }),
    story('discounts', 'Discounts', 'A code takes some percent off.', ['money'], {
      'discount-codes': task('Know the codes', 'findDiscount finds a code, whatever its case.', {
        write: { 'src/discounts.js': codes() },
        commit: 'discounts: know the codes',
      }),
      'discount-amount': task('Work out the amount', 'discountOf rounds down to whole cents.', {
        write: { 'src/discounts.js': codes() + amount() },
        run: ['node --test test/discounts.test.js'],
        journal: {
          kind: 'Learning',
          title: 'Discounts are rounded down',
          body: 'The test for 19.99 wants 1.99, so the customer keeps less than a cent less.',
        },
        commit: 'discounts: work out the amount',
      }),
    }),
    story(
      'receipt',
      'The receipt',
      'Lines, discount and total, one below the other.',
      ['cart', 'discounts'],
      {
        'receipt-print': task('Print the receipt', 'printReceipt lines everything up.', {
          write: { 'src/receipt.js': receipt() },
          run: ['node --test test/receipt.test.js', 'node src/till.js "2 tea 3.20" --code SPRING'],
          commit: 'receipt: print it',
        }),
      },
    ),
    story('tax', 'Taxes', 'How much of a price is tax.', ['money'], {
      'tax-full': task('The full rate', 'rateOf knows the rate of most things.', {
        write: { 'src/tax.js': fullRate() },
        commit: 'tax: the full rate',
      }),
      'tax-books': task('The rate of books', 'Books have a rate of their own.', {
        blocker: {
          title: QUESTION,
          body: 'The tests expect a reduced rate, and the plan does not say which law applies. A number from a person is needed.',
        },
        write: { 'src/tax.js': bookRate() },
        run: ['node --test test/tax.test.js'],
        commit: 'tax: books have their own rate',
      }),
    }),
    story('invoice', 'Invoices', 'A receipt that says how much of it is tax.', ['receipt', 'tax'], {
      'invoice-print': task('Print the invoice', 'printInvoice adds the tax below the receipt.', {
        write: { 'src/invoice.js': invoice() },
        run: ['node --test test/invoice.test.js'],
        commit: 'invoice: print it',
      }),
    }),
  ],
};

/** What the scripted model does, by task id. No two stories share a task id. */
export const SAMPLE_WORK: Readonly<Record<string, Rehearsal>> = Object.fromEntries(
  SAMPLE_PLAN.stories.flatMap(({ tasks }) => tasks.map(({ id, rehearsal }) => [id, rehearsal])),
);

interface PlannedTask {
  subject: string;
  description: string;
  rehearsal: Rehearsal;
}

function task(subject: string, description: string, rehearsal: Rehearsal): PlannedTask {
  return { subject, description, rehearsal };
}

/** Builds a story. Each task waits for the one before; the test of the story must pass in the gate. */
function story(
  id: string,
  title: string,
  description: string,
  blockedBy: string[],
  tasks: Readonly<Record<string, PlannedTask>>,
) {
  const ids = Object.keys(tasks);
  return {
    id,
    title,
    description,
    blockedBy,
    doneWhen: `The tests in test/${id}.test.js pass.`,
    verify: `node --test test/${id}.test.js`,
    writeFiles: [`src/${id}.js`],
    tasks: Object.entries(tasks).map(([taskId, fields], i) => ({
      id: taskId,
      ...fields,
      doneWhen: `Its test in test/${id}.test.js passes.`,
      blockedBy: ids.slice(Math.max(0, i - 1), i),
    })),
  };
}

function parse() {
  return `export function parseMoney(text) {
  const [, whole, rest = ''] = /^(\\d+)(?:\\.(\\d\\d))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(\`\${text} is not an amount\`);
  return Number(whole) * 100 + Number(rest);
}
`;
}

function format() {
  return `
export function formatMoney(cents) {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return \`\${sign}\${digits.slice(0, -2)}.\${digits.slice(-2)}\`;
}
`;
}

function readLines() {
  return `import { parseMoney } from './money.js';

export function readLine(text) {
  const [count = '', name = '', price = ''] = text.split(' ');
  return { count: Number(count), name, price: parseMoney(price) };
}
`;
}

function total() {
  return `
export function totalOf(lines) {
  return lines.reduce((sum, { count, price }) => sum + count * price, 0);
}
`;
}

function codes() {
  return `const CODES = { SPRING: { percent: 10 }, FAMILY: { percent: 25 } };

export function findDiscount(code) {
  return code === undefined ? undefined : CODES[code.toUpperCase()];
}
`;
}

function amount() {
  return `
export function discountOf(cents, code) {
  return Math.floor((cents * (findDiscount(code)?.percent ?? 0)) / 100);
}
`;
}

function receipt() {
  return `import { totalOf } from './cart.js';
import { discountOf } from './discounts.js';
import { formatMoney } from './money.js';

export function printReceipt(lines, code) {
  const total = totalOf(lines);
  const discount = discountOf(total, code);
  const rows = lines.map(({ count, name, price }) => [\`\${count} x \${name}\`, count * price]);
  if (discount > 0) rows.push(['discount', -discount]);
  rows.push(['total', total - discount]);
  return rows.map(([text, cents]) => text.padEnd(20) + formatMoney(cents).padStart(8)).join('\\n');
}
`;
}

function fullRate() {
  return `export function rateOf() {
  return 20;
}
`;
}

function bookRate() {
  return `const RATES = { book: 7 };

export function rateOf(name) {
  return RATES[name] ?? 20;
}

export function taxOf(cents, name) {
  const rate = rateOf(name);
  return Math.round((cents * rate) / (100 + rate));
}
`;
}

function invoice() {
  return `import { formatMoney } from './money.js';
import { printReceipt } from './receipt.js';
import { taxOf } from './tax.js';

export function printInvoice(lines) {
  const tax = lines.reduce((sum, { count, name, price }) => sum + taxOf(count * price, name), 0);
  return \`\${printReceipt(lines)}\\n\${'of which tax'.padEnd(20)}\${formatMoney(tax).padStart(8)}\`;
}
`;
}
