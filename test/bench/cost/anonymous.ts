import type { Measured } from './measured.ts';
import { type Usage, usdOf } from './prices.ts';
import { bytes, checkout, milliseconds } from './workload.ts';

/** One USD in EUR, as of the day of the prices. */
const euro = 0.87;
const million = 1_000_000;

/** Of 10,000 anonymous calls of fifteen kinds in turn (`npm run bench -- anonymous`). */
const mixed = { calls: 10_000, writeUnits: 127_369, swept: 3_355 - 2_001, notified: 2 * 667 };

/**
 * Euro that a million calls of V1 without credentials cost (TH-26): of all kinds, such that make a transaction, and such that
 * send something for it. Included are the events of the latter, and that all of them are deleted some day (V1-8).
 */
export const anonymousEuro = (measured: Measured) => {
  // What is swept or deleted gives back what a creation wrote: the same items go.
  const sweep = measured.create.write;
  const { recordChange, event } = measured;
  const ofEvent = recordChange.write + event.first.write + (checkout.recipients - 1) * event.further.write;
  const toldOfOne = mixed.notified / mixed.calls;
  const ofMixed =
    (mixed.writeUnits + (mixed.swept + mixed.notified) * sweep) / mixed.calls + toldOfOne * ofEvent;
  return {
    mixed: euroOf(ofMixed * million, toldOfOne * million),
    creating: euroOf((measured.create.write + sweep) * million, 0),
    telling: euroOf((measured.create.write + ofEvent + sweep) * million, million),
  };
};

const euroOf = (writeUnits: number, events: number): number => {
  const deliveries = events * checkout.recipients;
  const logGb = (million * bytes.log) / 2 ** 30;
  const usage: Usage = {
    ...{ apiRequests: million, lambdaRequests: million, writeUnits, readUnits: million },
    ...{ busEvents: deliveries, deliveries },
    ...{ lambdaGbSeconds: (million * milliseconds.write) / 1000, logGb, maskedGb: logGb, traces: million },
  };
  return euro * usdOf(usage);
};
