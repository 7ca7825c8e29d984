import { maximumTries } from '../../../functions/shared/write/optimistic-write.ts';
import { configOf } from '../../../lib/config.ts';
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

/** The firewall lets one address make so many writes of V1 a minute (S-86). */
const { v1WritesPerAddress = 0 } = configOf('production').firewall ?? {};

/**
 * Means of one small `PATCH` under a new key that moves the largest transaction of a session to another group, with the
 * longest `fields` (`npm run bench -- anonymous`, 2026-11-28): alone, and twenty at once on one transaction, each of which is
 * tried 5.0 times.
 */
const alone = { writeUnits: 139, readUnits: 9, milliseconds: milliseconds.write, bytes: 31_627 };
const atOnce = { writeUnits: 617, readUnits: 81, milliseconds: 225, bytes: 31_627 };

/** `atMost` is what no number at once exceeds: each call loses all of its tries but the last. */
export const dearestCall = {
  alone,
  atOnce,
  atMost: {
    writeUnits: alone.writeUnits * maximumTries,
    readUnits: (atOnce.readUnits / 5) * maximumTries,
    milliseconds: (atOnce.milliseconds / 5) * maximumTries,
    bytes: alone.bytes,
  },
} as const;

/** Euro that one address can cost in a day by its dearest call, at the firewall's rate (S-86). Each call is a change. */
export const dearestDayEuro = ({ recordChange }: Measured, how: keyof typeof dearestCall): number => {
  const call = dearestCall[how];
  const calls = v1WritesPerAddress * 60 * 24;
  const logGb = (calls * bytes.log) / 2 ** 30;
  return (
    euro *
    usdOf({
      ...{ apiRequests: calls, firewallRequests: calls, lambdaRequests: 2 * calls },
      ...{ writeUnits: calls * (call.writeUnits + recordChange.write), readUnits: calls * call.readUnits },
      lambdaGbSeconds: (calls * (call.milliseconds + milliseconds.recordChange)) / 1000,
      ...{ logGb, maskedGb: logGb, traces: calls / 20, outboundGb: (calls * call.bytes) / 2 ** 30 },
    })
  );
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
