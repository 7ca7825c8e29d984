import { realPatience } from '../dynamodb/retry.ts';
import type { CursorStore } from './cursor-store.ts';
import { wakeChange } from './cursor-updates.ts';
import { dueRowKey } from './keys.ts';
import { changeRow, type DebouncePlace } from './update.ts';

type WakeDeps = Omit<DebouncePlace, 'patience'> & Partial<Pick<DebouncePlace, 'patience'>>;

/** The wake-up alone, for the function that may do nothing else (S-50). It may count twice, which costs one more look. */
export const createWake = (deps: WakeDeps): CursorStore['wake'] => {
  const place = { patience: realPatience, ...deps };
  return async (wakeUp) => {
    await changeRow(place, dueRowKey({ uuid: wakeUp.uuid, kind: 'NOTIFY' }), wakeChange(wakeUp));
  };
};
