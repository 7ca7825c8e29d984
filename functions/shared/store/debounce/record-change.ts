import type { TableAccess } from '../dynamodb/table-access.ts';
import type { DebounceRowStore } from './debounce-row-store.ts';
import { recordChangeUpdate } from './debounce-row-updates.ts';
import { dueRowKey } from './keys.ts';
import { updateRow } from './update.ts';

/** Records a change, for the function that has no other right (S-50). A change that counts twice costs one more poll. */
export const createRecordChange =
  (access: TableAccess<'debounceTable'>): DebounceRowStore['recordChange'] =>
  async (change) => {
    await updateRow(access, dueRowKey({ uuid: change.uuid, kind: 'NOTIFY' }), recordChangeUpdate(change));
  };
