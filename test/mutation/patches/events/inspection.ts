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
    find: '[...again, ...next]',
    put: 'next',
  },
  {
    ...{ id: 'inspection-fault', rule: 'EV-21 a run that fails has inspected what it has', file, tests },
    find: '  await deps.inspections.write({ ...before',
    put: '  if (found.fault !== undefined) throw found.fault;\n  await deps.inspections.write({ ...before',
  },
];
