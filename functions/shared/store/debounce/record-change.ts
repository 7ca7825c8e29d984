import type { TableAccess } from '../dynamodb/table-access.ts';
import type { DebounceRowStore } from './debounce-row-store.ts';
import { recordChangeUpdate } from './debounce-row-updates.ts';
import { dueRowKey } from './keys.ts';
import { updateRow } from './update.ts';

/**
 * Records a change and nothing else, for the one function that may do no more (S-50). A change may count twice: that
 * costs one more poll.
 */
export const createRecordChange =
  (access: TableAccess<'debounceTable'>): DebounceRowStore['recordChange'] =>
  async (change) => {
    await updateRow(access, dueRowKey({ uuid: change.uuid, kind: 'NOTIFY' }), recordChangeUpdate(change));
  };
