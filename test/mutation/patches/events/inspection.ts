import type { Patch } from '../../patch.ts';

const file = 'functions/reconcile/inspection-turn.ts';
const tests = ['test/unit/functions/reconcile/inspection-turn.test.ts'];

/** Who is inspected when. */
export const patches: readonly Patch[] = [
  {
    ...{ id: 'inspection-most', rule: 'EV-21 a run inspects 200 partners at most', file, tests },
    find: 'const mostInRun = 200;',
    put: 'const mostInRun = 2_000;',
  },
  {
    ...{ id: 'inspection-pace', rule: 'EV-21 twenty questions a second', file, tests },
    find: 'Promise.all([inspect(partner), wait(paceMs)])',
    put: 'Promise.all([inspect(partner)])',
  },
  {
    ...{ id: 'inspection-goes-on', rule: 'EV-21 a run goes on where the last has ended', file, tests },
    find: '...(lastClientId !== undefined && { lastClientId }), ',
    put: '',
  },
  {
    ...{ id: 'inspection-again', rule: 'EV-21 those that differ are looked at in each run', file, tests },
    find: '[...next, ...again]',
    put: 'next',
  },
  {
    ...{ id: 'inspection-fault', rule: 'EV-21 one that cannot be inspected is passed over', file, tests },
    find: '      faults.push(fault);',
    put: '      return { ...found, fault };',
  },
  {
    ...{ id: 'inspection-faults', rule: 'EV-21 a run ends after three faults', file, tests },
    find: 'faults.length === mostFaults || ',
    put: '',
  },
  {
    ...{ id: 'inspection-slow', rule: 'EV-21 a run over a slow bus ends in time', file, tests },
    find: ' || deps.clock().getTime() >= endsAtMs',
    put: '',
  },
];
