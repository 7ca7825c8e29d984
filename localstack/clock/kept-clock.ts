import { readJsonFile, writePrivateJson } from '../data/private-json.ts';
import { createStageClock, type StageClock } from './stage-clock.ts';

/** The clock of the stage as the data folder has it: what was written by it must not lie in the future after a restart. */
export const openKeptClock = (file: string): StageClock => {
  const clock = createStageClock(readJsonFile<{ aheadMs: number }>(file)?.aheadMs);
  clock.onMove((byMs) => writePrivateJson(file, { aheadMs: clock.aheadMs() + byMs }));
  return clock;
};
