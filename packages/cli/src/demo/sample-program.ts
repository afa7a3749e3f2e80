/** A sample program: a till that cannot add up yet. All its tests fail until the stories are done. */
export const SAMPLE_PROGRAM: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    {
      name: 'till',
      private: true,
      type: 'module',
      scripts: { test: 'node --test test/*.test.js', start: 'node src/till.js' },
    },
    null,
    2,
  )}\n`,
  'README.md': `# Till

A small till: it reads what is bought, takes off discounts and prints a receipt.

    npm start -- "2 tea 3.20" "1 book 12.50" --code SPRING
    npm test
`,
  '.gitignore': 'node_modules/\n',
  'src/till.js': `import { readLine } from './cart.js';
import { printReceipt } from './receipt.js';

const words = process.argv.slice(2);
const at = words.indexOf('--code');
const code = at === -1 ? undefined : words[at + 1];
const lines = words.filter((_, i) => at === -1 || i < at || i > at + 1).map(readLine);
console.log(printReceipt(lines, code));
`,
  ...unwritten('money', ['parseMoney', 'formatMoney']),
  ...unwritten('cart', ['readLine', 'totalOf']),
  ...unwritten('discounts', ['findDiscount', 'discountOf']),
  ...unwritten('tax', ['rateOf', 'taxOf']),
  ...unwritten('receipt', ['printReceipt']),
  ...unwritten('invoice', ['printInvoice']),
  ...tests('money', {
    'an amount is read as cents': `assert.equal(parseMoney('12.50'), 1250);
  assert.equal(parseMoney('3'), 300);
  assert.throws(() => parseMoney('three'), /not an amount/);`,
    'cents are written as an amount': `assert.equal(formatMoney(1250), '12.50');
  assert.equal(formatMoney(-5), '-0.05');`,
  }),
  ...tests('cart', {
    'a line says how many of what': `assert.deepEqual(readLine('2 tea 3.20'), { count: 2, name: 'tea', price: 320 });`,
    'lines add up': `assert.equal(totalOf([{ count: 2, name: 'tea', price: 320 }]), 640);`,
  }),
  ...tests('discounts', {
    'a code is found whatever its case': `assert.equal(findDiscount('spring').percent, 10);
  assert.equal(findDiscount('nothing'), undefined);`,
    'a discount is rounded down to whole cents': `assert.equal(discountOf(1999, 'SPRING'), 199);
  assert.equal(discountOf(1999, undefined), 0);`,
  }),
  ...tests('tax', {
    'most things have the full rate': `assert.equal(rateOf('tea'), 20);`,
    'books have a rate of their own': `assert.equal(rateOf('book'), 7);
  assert.equal(taxOf(1070, 'book'), 70);`,
  }),
  ...tests('receipt', {
    'a receipt shows lines, discount and total': `const lines = [{ count: 2, name: 'tea', price: 320 }];
  assert.match(printReceipt(lines, 'SPRING'), /2 x tea +6.40/);
  assert.match(printReceipt(lines, 'SPRING'), /discount +-0.64/);
  assert.match(printReceipt(lines, 'SPRING'), /total +5.76/);`,
  }),
  ...tests('invoice', {
    'an invoice shows the tax': `const text = printInvoice([{ count: 1, name: 'book', price: 1070 }]);
  assert.match(text, /of which tax +0.70/);`,
  }),
};

/** Builds a module whose functions throw "is not written yet". The stories write them. */
function unwritten(name: string, functions: readonly string[]): Record<string, string> {
  const bodies = functions.map(
    (it) => `export function ${it}() {\n  throw new Error('${it} is not written yet');\n}\n`,
  );
  return { [`src/${name}.js`]: bodies.join('\n') };
}

function tests(name: string, cases: Readonly<Record<string, string>>): Record<string, string> {
  const used = [
    ...new Set(
      Object.values(cases)
        .join('\n')
        .match(/\b[a-z]\w+(?=\()/g),
    ),
  ].filter((it) => !['equal', 'deepEqual', 'throws', 'match'].includes(it));
  const bodies = Object.entries(cases).map(
    ([title, body]) => `test('${title}', () => {\n  ${body}\n});\n`,
  );
  return {
    [`test/${name}.test.js`]: `import assert from 'node:assert/strict';
import test from 'node:test';
import { ${used.join(', ')} } from '../src/${name}.js';

${bodies.join('\n')}`,
  };
}
