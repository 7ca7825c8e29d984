import type { Patch } from '../../patch.ts';

const alarms = ['test/infrastructure/alarms.test.ts'];

/** What is watched as a whole, and who hears of it. */
export const patches: readonly Patch[] = [
  {
    id: 'alarm-tells',
    rule: 'S-70 every alarm tells the topic',
    file: 'lib/constructs/watch/alarm-topic.ts',
    find: '      alarm.addAlarmAction(action);\n',
    put: '',
    tests: alarms,
  },
  {
    id: 'alarm-functions',
    rule: 'S-70 faults of every function ring',
    file: 'lib/constructs/watch/stage-watch.ts',
    find: '(one) => one instanceof ServiceFunction)',
    put: '(one) => one instanceof ServiceFunction).slice(1)',
    tests: alarms,
  },
  {
    id: 'alarm-heartbeat',
    rule: 'S-70 a schedule that stopped rings',
    file: 'lib/constructs/watch/heartbeat.ts',
    find: 'silenceRings: true',
    put: 'silenceRings: false',
    tests: alarms,
  },
  {
    id: 'alarm-letters-being-read',
    rule: 'S-69 a letter that is read again and again rings',
    file: 'lib/constructs/dead-letter-collector.ts',
    find: "expression: 'waiting + read'",
    put: "expression: 'waiting'",
    tests: alarms,
  },
  {
    id: 'alarm-recovery-off',
    rule: 'S-56 switching off the recovery of a table rings',
    file: 'lib/constructs/watch/store-guard.ts',
    find: 'pointInTimeRecoveryEnabled: [false]',
    put: 'pointInTimeRecoveryEnabled: [true]',
    tests: alarms,
  },
  {
    id: 'alarm-topic-account',
    rule: 'S-55 the topic takes messages of its own account alone',
    file: 'lib/constructs/watch/alarm-topic.ts',
    find: "      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },\n",
    put: '',
    tests: alarms,
  },
  {
    id: 'told-last-partner',
    rule: 'S-70 how late an event was counts when it is with the bus for all its partners',
    file: 'functions/shared/publish/send.ts',
    find: '  for (const one of done) measure(one, run.deps);\n',
    put: '  for (const one of claimed) measure(one, run.deps);\n',
    tests: ['test/unit/functions/shared/publish/flush.test.ts'],
  },
  {
    id: 'drift-heard',
    rule: 'S-70 a page that no reading made whole is heard',
    file: 'functions/shared/store/transactions/reader.ts',
    find: 'if (!isWhole && reads === maximumReads) access.onDrift?.();',
    put: 'if (!isWhole) access.onDrift?.();',
    tests: ['test/integration/listing/listing.races.test.ts'],
  },
  {
    id: 'signing-heard',
    rule: 'S-70 the lack of a key to sign with is heard',
    file: 'functions/shared/auth/signing-keys.ts',
    find: '        deps.onFault?.(fault);\n',
    put: '',
    tests: ['test/unit/functions/shared/auth/signing-keys.test.ts'],
  },
  {
    id: 'daily-look-heard',
    rule: 'S-70 the daily run of reconcile is heard by how far it looks',
    file: 'functions/reconcile/handler.ts',
    find: 'lookedBackMinutes: lookBackMs / minute',
    put: 'lookedBackMinutes: 2_880',
    tests: ['test/unit/functions/reconcile/handler.test.ts'],
  },
];
