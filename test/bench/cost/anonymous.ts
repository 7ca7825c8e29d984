import type { Measured } from './measured.ts';
import { type Usage, usdOf } from './prices.ts';
import { bytes, milliseconds } from './workload.ts';

/** One USD in EUR, as of the day of the prices. */
const euro = 0.87;
const million = 1_000_000;

/** Of 10,000 anonymous calls of fifteen kinds in turn (`npm run bench:anonymous`). */
const mixed = { calls: 10_000, writeUnits: 125_368, kept: 3_355 - 667 };

/** Euro that a million calls of V1 without credentials cost, the sweep after 31 days included (TH-26). */
export const anonymousEuro = (measured: Measured) => {
  // What is swept gives back what a creation wrote: the same items go.
  const sweep = measured.create.write;
  const ofMixed = (mixed.writeUnits + mixed.kept * sweep) / mixed.calls;
  return {
    mixed: euroOf(ofMixed * million),
    creating: euroOf((measured.create.write + sweep) * million),
  };
};

const euroOf = (writeUnits: number): number => {
  const logGb = (million * bytes.log) / 2 ** 30;
  const usage: Usage = {
    ...{ apiRequests: million, lambdaRequests: million, writeUnits, readUnits: million },
    ...{ lambdaGbSeconds: (million * milliseconds.write) / 1000, logGb, maskedGb: logGb, traces: million },
  };
  return euro * usdOf(usage);
};
