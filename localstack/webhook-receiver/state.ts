import { readMessage } from './message.ts';
import type { RememberedMessage } from './store.ts';

/** What a receiver has of a transaction without reading the API. */
type FoldedState = { version: number; isDeleted: boolean; elements: Record<string, unknown> };

/**
 * The updates of one transaction, applied in the order in which they came; what was older is passed over. Undefined
 * before the first.
 */
export const foldedState = (updates: readonly RememberedMessage[]): FoldedState | undefined => {
  const applied = updates.filter(({ link }) => link !== undefined && link !== 'older');
  if (applied.length === 0) return undefined;
  return applied.reduce<FoldedState>(joined, { version: 0, isDeleted: false, elements: {} });
};

const joined = (state: FoldedState, { range, body = '' }: RememberedMessage): FoldedState => {
  const version = range?.to ?? state.version;
  const message = readMessage(body);
  // The body of an old message is forgotten: it holds customers.
  if (!message.ok) return { ...state, version };
  if (message.value.isDeleted) return { version, isDeleted: true, elements: {} };
  const elements = { ...state.elements, ...Object.fromEntries(message.value.elements) };
  return { version, isDeleted: false, elements };
};
