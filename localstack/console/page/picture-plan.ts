/** A box of the picture: its corner, its name, and what stands below it. */
export type Place = { id: string; x: number; y: number; label: string; note?: string };
/** An arrow from one box to another. */
export type Way = { from: string; to: string };

export const size = { width: 1120, height: 372, boxWidth: 158, boxHeight: 40 };

const column = [6, 206, 406, 606, 780, 956];
const at = (x: number, y: number) => ({ x: column[x] ?? 0, y });

/** Way 1 above, what asks and is answered; way 2 below and to the right, a change on its way to partners (README). */
export const places: readonly Place[] = [
  { id: 'callers', ...at(0, 108), label: 'callers', note: 'checkouts, partners' },
  { id: 'gateway', ...at(1, 108), label: 'API Gateway' },
  { id: 'issue-token', ...at(2, 4), label: 'issue-token' },
  { id: 'v1-transaction', ...at(2, 56), label: 'v1-transaction' },
  { id: 'v2-read', ...at(2, 108), label: 'v2-read' },
  { id: 'v2-partner', ...at(2, 160), label: 'v2-partner' },
  { id: 'v2-write', ...at(2, 212), label: 'v2-write' },
  { id: 'serve-docs', ...at(1, 4), label: 'serve-docs' },
  { id: 'transactions', ...at(3, 108), label: 'DynamoDB', note: 'Transactions' },
  { id: 'rotate-keys', ...at(3, 4), label: 'rotate-keys' },
  { id: 'sweep-expired', ...at(4, 4), label: 'sweep-expired' },
  { id: 'capture-change', ...at(4, 82), label: 'capture-change', note: 'from the stream' },
  { id: 'reconcile', ...at(4, 150), label: 'reconcile', note: 'by schedule' },
  { id: 'debounce', ...at(5, 108), label: 'DynamoDB', note: 'Debounce' },
  { id: 'publish-dormant', ...at(5, 232), label: 'publish-dormant', note: 'at each tick' },
  { id: 'bus', ...at(3, 288), label: 'EventBridge', note: 'a rule a partner' },
  { id: 'keep-endpoints', ...at(4, 320), label: 'keep-endpoints', note: 'rules, targets' },
  { id: 'probe-endpoint', ...at(2, 330), label: 'probe-endpoint' },
  { id: 'endpoints', ...at(1, 288), label: 'endpoints', note: 'webhooks' },
  { id: 'collect-dead-letters', ...at(5, 320), label: 'collect-dead-letters' },
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
  { from: 'v2-write', to: 'bus' },
  { from: 'bus', to: 'endpoints' },
  { from: 'bus', to: 'collect-dead-letters' },
  { from: 'keep-endpoints', to: 'bus' },
  { from: 'keep-endpoints', to: 'probe-endpoint' },
  { from: 'probe-endpoint', to: 'endpoints' },
];
