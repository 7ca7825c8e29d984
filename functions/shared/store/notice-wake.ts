import { noticeKey } from './debounce-keys.ts';
import { changeRow, type DebouncePlace } from './debounce-update.ts';
import { wakeChange } from './notice-changes.ts';
import type { NoticeStore } from './notice-store.ts';
import { realPatience } from './store-retry.ts';

type WakeDeps = Omit<DebouncePlace, 'patience'> & Partial<Pick<DebouncePlace, 'patience'>>;

/** The wake-up alone, for the function that may do nothing else (S-50). It may count twice, which costs one more look. */
export const createWake = (deps: WakeDeps): NoticeStore['wake'] => {
  const place = { patience: realPatience, ...deps };
  return async (wakeUp) => {
    await changeRow(place, noticeKey({ uuid: wakeUp.uuid, kind: 'NOTIFY' }), wakeChange(wakeUp));
  };
};
