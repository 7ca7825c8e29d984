import { readJsonFile, writePrivateJson } from '../data/private-json.ts';
import { createStageClock, type StageClock } from './stage-clock.ts';

/** The stage's clock, kept in the data folder: after a restart, stored times must not lie in the future. */
export const openKeptClock = (file: string): StageClock => {
  const clock = createStageClock(readJsonFile<{ aheadMs: number }>(file)?.aheadMs);
  clock.onMove((byMs) => writePrivateJson(file, { aheadMs: clock.aheadMs() + byMs }));
  return clock;
};
