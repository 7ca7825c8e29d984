import { namedPatch, type Patch } from '../../patch.ts';

const lanes = 'functions/shared/store/debounce/lanes.ts';

const one = namedPatch('store-lane', ['test/integration/store/lanes.ports.test.ts']);

/** Leases of lanes in the real store: the rules that the simulation takes out of its stand-in, under the same names. */
export const patches: readonly Patch[] = [
  one(
    ['taken-once', 'a lane has one run at a time: it is handed out twice'],
    [
      lanes,
      "'attribute_not_exists(#untilMs) OR #untilMs",
      "'attribute_exists(pk) OR attribute_not_exists(#untilMs) OR #untilMs",
    ],
  ),
  one(
    ['lease-ends', 'the lease of a lane ends with the run that took it'],
    [lanes, 'OR #untilMs <= :nowMs', 'OR #untilMs < :nowMs'],
  ),
  one(
    ['given-back-by-its-run', 'a lane is given back by the run that has it alone'],
    [
      lanes,
      "condition: '#holder = :holder',",
      "condition: '#holder = :holder OR attribute_exists(#holder)',",
    ],
  ),
  one(
    ['taken-again', 'EV-24 who has a lane takes it once more'],
    [lanes, ' OR #holder = :holder', ' OR (#holder = :holder AND attribute_not_exists(#holder))'],
  ),
  one(
    ['held-as-it-is-now', 'EV-24 who holds a lane is read as it is now'],
    [lanes, '    ConsistentRead: true,\n', ''],
    ['test/unit/functions/shared/store/debounce/lanes.test.ts'],
  ),
  one(
    ['held-until-its-end', 'EV-24 a lane whose lease has ended is free'],
    [lanes, 'untilMs > nowMs', 'untilMs >= nowMs'],
  ),
];
