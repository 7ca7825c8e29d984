import type { TransactionCompleted, TransactionUpdated, WholeTransaction } from '../types.ts';

/** The change of a stored transaction by a message, or by reading the API. */
export type Change =
  /** Replace these elements. Each is complete; null (`[]` for payments) means that it was removed. */
  | {
      readonly kind: 'update';
      readonly uuid: string;
      readonly detail: Partial<TransactionUpdated['detail']>;
      /** Changed elements that were too large to send. Unless the receiver reads the API, read them yourself. */
      readonly omitted: readonly string[];
      readonly message: TransactionUpdated;
    }
  /** Replace everything that you have of it. */
  | { readonly kind: 'state'; readonly uuid: string; readonly transaction: WholeTransaction }
  /** Delete what you have of it. */
  | { readonly kind: 'deleted'; readonly uuid: string; readonly message: TransactionUpdated }
  /** The API does not show it any more: it was deleted, or left your grants. */
  | { readonly kind: 'gone'; readonly uuid: string }
  /** A payment has completed it. An update with the same payments follows. */
  | {
      readonly kind: 'completed';
      readonly uuid: string;
      readonly detail: TransactionCompleted['detail'];
      readonly message: TransactionCompleted;
    };
