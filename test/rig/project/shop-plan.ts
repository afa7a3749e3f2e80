import type { Rehearsal } from '@saga-ai/types/plan/task';

/** The shop of the transcripts: an epic of seven stories, and a story on its own. */
export interface PlannedStory {
  title: string;
  description: string;
  fields?: object;
  tasks: Record<string, PlannedTask>;
}

export interface PlannedTask {
  subject: string;
  blockedBy?: string[];
  rehearsal?: Rehearsal;
  fields?: object;
}

export const SHOP_EPIC = {
  id: 'shop-checkout',
  title: 'Checkout for the shop',
  description:
    'Customers can fill a cart, see the right price and pay. **One integration branch**, merged when all seven stories are in.',
  children: [
    { id: 'cart-model', blockedBy: [] },
    { id: 'price-rules', blockedBy: [] },
    { id: 'cart-api', blockedBy: ['cart-model'] },
    { id: 'checkout-form', blockedBy: ['cart-model', 'price-rules'] },
    { id: 'payment-adapter', blockedBy: ['price-rules'] },
    { id: 'receipts', blockedBy: ['payment-adapter'] },
    { id: 'e2e-tests', blockedBy: ['cart-api', 'checkout-form', 'receipts'] },
  ],
};

const CART = `export interface Line {
  sku: string;
  quantity: number;
}

export function addLine(lines: readonly Line[], line: Line): Line[] {
  return [...lines, line];
}
`;

export const SHOP_STORIES: Record<string, PlannedStory> = {
  'cart-model': {
    title: 'Cart model',
    description:
      'The cart as plain data: lines with a *sku* and a quantity. Everything else in checkout stands on it.',
    fields: {
      guidance: 'Plain objects and pure functions; no classes, no storage yet.',
      doneWhen: 'Lines can be added, merged and removed, and `node check.mjs` passes.',
      avoid: 'Prices: they belong to `price-rules`.',
      verify: 'test -f src/cart/model.ts && echo "3 passing"',
      writeFiles: ['src/cart/**', 'test/**', 'docs/**'],
      labels: ['cart'],
    },
    tasks: {
      'model-tests': {
        subject: 'Write failing tests for the cart model',
        fields: { needsTests: true, doneWhen: 'The tests run and fail.' },
        rehearsal: {
          write: { 'test/cart-model.test.ts': "test('adds a line', () => {});\n" },
          commit: 'cart: tests for the model',
        },
      },
      model: {
        subject: 'Implement the cart model',
        blockedBy: ['model-tests'],
        fields: { guidance: 'One function a verb.', writeFiles: ['src/cart/**'] },
        rehearsal: {
          write: { 'src/cart/model.ts': CART },
          run: ['echo "3 passing (41 ms)"'],
          journal: {
            kind: 'Decision',
            title: 'Lines are plain objects',
            body: 'A class would have to be revived from JSON on every request.\n\n- `addLine` merges by sku\n- quantity is a whole number, 1 or more',
          },
          commit: 'cart: keep lines',
        },
      },
      'merge-lines': {
        subject: 'Merge lines of the same sku',
        blockedBy: ['model'],
        rehearsal: {
          write: { 'test/merge.test.ts': "test('merges', () => {});\n" },
          commit: 'cart: merge lines',
        },
      },
      'remove-lines': {
        subject: 'Remove lines',
        blockedBy: ['model'],
        rehearsal: {
          write: { 'src/cart/remove.ts': 'export const removeLine = () => {};\n' },
          commit: 'cart: remove lines',
        },
      },
      'model-docs': {
        subject: 'Describe the model',
        blockedBy: ['merge-lines', 'remove-lines'],
        rehearsal: {
          write: { 'docs/cart.md': '# The cart\n\nLines of a sku and a quantity.\n' },
          journal: {
            kind: 'Learning',
            title: 'Merging is the hot path',
            body: 'Nine of ten calls add to a line that is there already.',
          },
          commit: 'docs: the cart',
        },
      },
    },
  },
  'price-rules': {
    title: 'Price rules',
    description: 'Discounts, taxes and rounding as a table of cases.',
    fields: { doneWhen: 'Every case of the table passes.', verify: 'echo "24 cases, 0 failures"' },
    tasks: {
      'rule-table': { subject: 'Write the table of cases' },
      rounding: { subject: 'Round half to even', blockedBy: ['rule-table'] },
      discounts: { subject: 'Apply discounts', blockedBy: ['rule-table'] },
      taxes: { subject: 'Add taxes per country', blockedBy: ['rounding', 'discounts'] },
    },
  },
  'cart-api': {
    title: 'Cart API',
    description: 'HTTP endpoints for the cart: read, add, remove.',
    fields: {
      guidance: 'Thin handlers; the model decides.',
      doneWhen: 'All endpoints answer as the table in docs/api.md says.',
    },
    tasks: {
      routes: { subject: 'Lay out the routes', fields: { activeForm: 'Laying out the routes' } },
      schemas: { subject: 'Describe requests and answers', blockedBy: ['routes'] },
      'endpoint-tests': {
        subject: 'Write endpoint tests',
        blockedBy: ['schemas'],
        fields: { activeForm: 'Writing endpoint tests' },
      },
      endpoints: { subject: 'Implement the endpoints', blockedBy: ['endpoint-tests'] },
      errors: { subject: 'Answer errors with a code', blockedBy: ['endpoints'] },
      'api-docs': { subject: 'Document the endpoints', blockedBy: ['endpoints'] },
    },
  },
  'checkout-form': {
    title: 'Checkout form',
    description: 'Address, delivery and payment on one page that works without a mouse.',
    tasks: {
      fields: { subject: 'Lay out the fields' },
      validation: { subject: 'Validate as people type', blockedBy: ['fields'] },
      keyboard: { subject: 'Make it work by keyboard', blockedBy: ['fields'] },
      summary: { subject: 'Show the summary', blockedBy: ['validation', 'keyboard'] },
    },
  },
  'payment-adapter': {
    title: 'Payment adapter',
    description: 'One interface for payment providers, the sandbox first.',
    fields: { avoid: 'Real keys, in any file.' },
    tasks: {
      interface: { subject: 'Define the interface' },
      'fake-provider': { subject: 'A fake provider for tests', blockedBy: ['interface'] },
      amounts: { subject: 'Amounts in minor units', blockedBy: ['interface'] },
      sandbox: {
        subject: 'Talk to the sandbox',
        blockedBy: ['fake-provider', 'amounts'],
        rehearsal: {
          blocker: {
            title: 'Which payment provider sandbox?',
            body: 'Both are reachable from CI. They differ in what they simulate:\n\n| provider | declines | 3-D Secure |\n|---|---|---|\n| A | yes | no |\n| B | yes | yes, slow |\n\nI would take **B**, since checkout must handle 3-D Secure, but its sandbox costs 20 s a test.',
          },
        },
      },
      webhooks: { subject: 'Read webhooks', blockedBy: ['sandbox'] },
    },
  },
  receipts: {
    title: 'Receipts',
    description: 'A receipt by e-mail after a payment.',
    tasks: {
      template: { subject: 'Write the template' },
      render: { subject: 'Render it', blockedBy: ['template'] },
      send: { subject: 'Send it', blockedBy: ['render'] },
    },
  },
  'e2e-tests': {
    title: 'End-to-end tests',
    description: 'The whole way from an empty cart to a receipt.',
    tasks: {
      happy: { subject: 'The happy path' },
      declined: { subject: 'A declined card', blockedBy: ['happy'] },
      empty: { subject: 'An empty cart', blockedBy: ['happy'] },
      report: { subject: 'Report the figures', blockedBy: ['declined', 'empty'] },
    },
  },
  'fix-logout': {
    title: 'Log out everywhere',
    description: 'Logging out ends every session of the account.',
    fields: { labels: ['bug'], verify: 'echo ok' },
    tasks: {
      reproduce: { subject: 'Reproduce it in a test' },
      'end-sessions': { subject: 'End all sessions', blockedBy: ['reproduce'] },
      changelog: { subject: 'Tell it in the changelog', blockedBy: ['end-sessions'] },
    },
  },
  'search-index': {
    title: 'Search index',
    description: 'Products can be found by name.',
    fields: { verify: 'echo "FAIL test/words.test.ts" && exit 1' },
    tasks: { tokenise: { subject: 'Split names into words' } },
  },
  'dark-theme': {
    title: 'Dark theme',
    description: 'The shop follows the theme of the system.',
    tasks: {
      tokens: { subject: 'Name the colours' },
      contrast: { subject: 'Check the contrast', blockedBy: ['tokens'] },
    },
  },
};
