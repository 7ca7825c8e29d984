import { clientOf, documentsOf, startEngine } from '../../support/engine/engine.ts';
import { countUnits } from '../units.ts';
import { measureEvents } from './measure-events.ts';
import { measureRecords, tables } from './measure-records.ts';
import type { Measured } from './measured.ts';

/** Measures everything on real engines. `day` is the date to print: `2026-11-22`. */
export const measureAll = async (day: string): Promise<Measured> => {
  const { transactionBytes, ...records } = await onEngine((endpoint) => {
    const documents = documentsOf(clientOf(endpoint));
    return measureRecords(documents, countUnits(documents, tables));
  });
  const { eventBytes, ...events } = await onEngine(measureEvents);
  return {
    measuredOn: day,
    ...records,
    ...events,
    bytes: { transaction: transactionBytes, event: eventBytes },
  };
};

const onEngine = async <T>(work: (endpoint: string) => Promise<T>): Promise<T> => {
  const engine = await startEngine();
  try {
    return await work(engine.endpoint);
  } finally {
    await engine.stop();
  }
};
