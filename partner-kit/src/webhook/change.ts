import type { TransactionCompleted, TransactionUpdated, WholeTransaction } from '../types.ts';

/** What a message, or reading the API, comes to for who keeps transactions. */
export type Change =
  /** Take these elements: each is whole; null (`[]` for payments) means that it was removed. */
  | {
      readonly kind: 'update';
      readonly uuid: string;
      readonly detail: Partial<TransactionUpdated['detail']>;
      /** Elements that changed and were too large to be sent; without reading back, read them yourself. */
      readonly omitted: readonly string[];
      readonly message: TransactionUpdated;
    }
  /** Take all of this in the place of what you have. */
  | { readonly kind: 'state'; readonly uuid: string; readonly transaction: WholeTransaction }
  /** Drop what you have of it. */
  | { readonly kind: 'deleted'; readonly uuid: string; readonly message: TransactionUpdated }
  /** The API does not show it any more: it was deleted, or left your grants. */
  | { readonly kind: 'gone'; readonly uuid: string }
  /** A payment has completed it; an update with the same payments follows. */
  | {
      readonly kind: 'completed';
      readonly uuid: string;
      readonly detail: TransactionCompleted['detail'];
      readonly message: TransactionCompleted;
    };
