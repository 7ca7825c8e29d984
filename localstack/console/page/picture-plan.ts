type Cell = readonly [column: number, row: number];
/** A box of the picture: its label, the note below that, and its cell in both plans. */
export type Place = { id: string; wide: Cell; tall: Cell; label?: string; note?: string };
/** An arrow from one box to another. */
export type Way = { from: string; to: string };
/** `wide` for a window, with arrows from left to right; `tall` for a phone, with arrows downwards. */
export type Plan = 'wide' | 'tall';

export const box = { width: 112, height: 40 };
export const sizes = { wide: { width: 1170, height: 264 }, tall: { width: 376, height: 482 } };
const pitches = { wide: [150, 54], tall: [128, 62] } as const;

export const cornerOf = (place: Place, plan: Plan) => {
  const [column, row] = place[plan];
  return { x: 4 + column * pitches[plan][0], y: 4 + row * pitches[plan][1] };
};

/** The boxes of a request come first, then those of a change on its way to partners (README). */
export const places: readonly Place[] = [
  { id: 'callers', wide: [0, 2], tall: [1, 0], note: 'checkouts, partners' },
  { id: 'gateway', wide: [1, 2], tall: [1, 1], label: 'API Gateway' },
  { id: 'serve-docs', wide: [1, 0], tall: [0, 0] },
  { id: 'issue-token', wide: [2, 0], tall: [2, 0] },
  { id: 'v1-transaction', wide: [2, 1], tall: [0, 2] },
  { id: 'v2-read', wide: [2, 2], tall: [1, 2] },
  { id: 'v2-partner', wide: [2, 3], tall: [0, 1] },
  { id: 'v2-write', wide: [2, 4], tall: [2, 2] },
  { id: 'transactions', wide: [3, 2], tall: [1, 3], label: 'DynamoDB', note: 'Transactions' },
  { id: 'rotate-keys', wide: [4, 0], tall: [2, 1] },
  { id: 'sweep-expired', wide: [5, 0], tall: [0, 3] },
  { id: 'capture-change', wide: [4, 1], tall: [0, 4], note: 'from the stream' },
  { id: 'reconcile', wide: [4, 2], tall: [1, 4], note: 'by schedule' },
  { id: 'debounce', wide: [5, 1], tall: [0, 5], label: 'DynamoDB', note: 'Debounce' },
  { id: 'publish-dormant', wide: [6, 1], tall: [1, 5], note: 'at each tick' },
  { id: 'bus', wide: [6, 3], tall: [2, 5], label: 'EventBridge', note: 'a rule a partner' },
  { id: 'endpoints', wide: [7, 3], tall: [2, 6], note: 'webhooks' },
  {
    ...{ id: 'collect-dead-letters', wide: [7, 2], tall: [0, 6] },
    ...{ label: 'dead letters', note: 'collect-dead-letters' },
  },
  { id: 'keep-endpoints', wide: [6, 4], tall: [1, 6], note: 'rules, targets' },
  { id: 'probe-endpoint', wide: [7, 4], tall: [2, 7] },
];

export const ways: readonly Way[] = [
  { from: 'callers', to: 'gateway' },
  { from: 'gateway', to: 'serve-docs' },
  ...['issue-token', 'v1-transaction', 'v2-read', 'v2-partner', 'v2-write'].map((to) => ({
    from: 'gateway',
    to,
  })),
  ...['v1-transaction', 'v2-read', 'v2-write'].map((from) => ({ from, to: 'transactions' })),
  { from: 'transactions', to: 'capture-change' },
  { from: 'transactions', to: 'reconcile' },
  { from: 'capture-change', to: 'debounce' },
  { from: 'reconcile', to: 'debounce' },
  { from: 'debounce', to: 'publish-dormant' },
  { from: 'publish-dormant', to: 'bus' },
  { from: 'bus', to: 'endpoints' },
  { from: 'bus', to: 'collect-dead-letters' },
  { from: 'keep-endpoints', to: 'bus' },
  { from: 'keep-endpoints', to: 'probe-endpoint' },
  { from: 'probe-endpoint', to: 'endpoints' },
];
