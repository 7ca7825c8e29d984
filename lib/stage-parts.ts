import type { FunctionName } from './constructs/bundle.ts';

const writes: FunctionName[] = [
  ...(['collect-dead-letters', 'v1-transaction', 'v2-write', 'v2-partner', 'publish-dormant'] as const),
  ...(['capture-change', 'reconcile', 'sweep-expired'] as const),
];

/** What a person can stop, and the functions that do it, in the order in which they stop (RUN-13). */
export const stageParts = {
  v1: ['v1-transaction'],
  writes,
  all: [...writes, 'v2-read'],
} satisfies Record<string, FunctionName[]>;

export type StagePart = keyof typeof stageParts;
