import { onEngine } from '../measuring.ts';
import { measureEvents } from './measure-events.ts';
import { measureRecords } from './measure-records.ts';
import type { Measured } from './measured.ts';

/** Measures everything on real engines. `measuredOn` is the date to print: `2026-11-22`. */
export const measureAll = async (measuredOn: string): Promise<Measured> => {
  const { transactionBytes, ...records } = await onEngine(measureRecords);
  const { eventBytes, ...events } = await onEngine(({ endpoint }) => measureEvents(endpoint));
  return { measuredOn, ...records, ...events, bytes: { transaction: transactionBytes, event: eventBytes } };
};
