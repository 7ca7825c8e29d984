import type { TableAccess } from '../dynamodb/table-access.ts';
import type { CursorStore } from './cursor-store.ts';
import { wakeChange } from './cursor-updates.ts';
import { dueRowKey } from './keys.ts';
import { changeRow } from './update.ts';

/** The wake-up alone, for the function that may do nothing else (S-50). It may count twice, which costs one more look. */
export const createWake =
  (access: TableAccess<'debounceTable'>): CursorStore['wake'] =>
  async (wakeUp) => {
    await changeRow(access, dueRowKey({ uuid: wakeUp.uuid, kind: 'NOTIFY' }), wakeChange(wakeUp));
  };
