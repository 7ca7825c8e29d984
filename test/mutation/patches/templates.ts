import type { Patch } from '../patch.ts';

const key = 'lib/constructs/data-key.ts';
const times = 'lib/event-times.ts';
const ofKey = ['test/infrastructure/partner-bus.test.ts'];
const margins = ['test/infrastructure/time-margins.test.ts'];

/** Rights on the key, and the margins of time that the templates keep. */
export const patches: readonly Patch[] = [
  {
    id: 'key-via-service',
    rule: 'S-55 the key serves principals through three services alone',
    file: key,
    find: "['dynamodb', 'secretsmanager', 'sqs']",
    put: "['dynamodb', 'secretsmanager', 'sqs', 's3']",
    tests: ofKey,
  },
  {
    id: 'key-logs',
    rule: 'S-55 the key serves the logs of its own account alone',
    file: key,
    find: "'kms:EncryptionContext:aws:logs:arn'",
    put: "'kms:EncryptionContext:other'",
    tests: ofKey,
  },
  {
    id: 'key-source-account',
    rule: 'S-55 the key serves the bus of its own account alone',
    file: key,
    find: "        StringEquals: { 'aws:SourceAccount': account },\n",
    put: '',
    tests: ofKey,
  },
  {
    id: 'schedule-window',
    rule: 'interface 6.1 a schedule runs at its minute, not within a window',
    file: 'lib/constructs/function-schedule.ts',
    find: "flexibleTimeWindow: { mode: 'OFF' },",
    put: "flexibleTimeWindow: { mode: 'FLEXIBLE', maximumWindowInMinutes: 15 },",
    tests: margins,
  },
  {
    id: 'last-queue-retention',
    rule: 'S-69 what failed is kept for 14 days',
    file: 'lib/constructs/service-queue.ts',
    find: 'retention: Duration.days(14) });',
    put: 'retention: Duration.days(4) });',
    tests: margins,
  },
  {
    id: 'reconcile-timeout',
    rule: 'I20 the reconciler has the time that two days of changes take',
    file: times,
    find: 'export const reconcileTimeoutSeconds = 300;',
    put: 'export const reconcileTimeoutSeconds = 3;',
    tests: margins,
  },
  {
    id: 'times-send',
    rule: 'I17 sending takes less than abandonMs',
    file: times,
    find: "...unless(sendMs < abandonMs, 'What sending",
    put: "...unless(sendMs > 0, 'What sending",
    tests: margins,
  },
  {
    id: 'times-timeout',
    rule: 'I17 a run that is abandoned ends before its timeout',
    file: times,
    find: '...unless(abandonMs < timeoutMs,',
    put: '...unless(abandonMs <= timeoutMs,',
    tests: margins,
  },
  {
    id: 'times-lease-without-sending',
    rule: 'I17 the lease covers what is sent last, too',
    file: times,
    find: '...unless(abandonMs + sendMs < leaseMs,',
    put: '...unless(abandonMs < leaseMs,',
    tests: margins,
  },
  {
    id: 'times-completion-without-sending',
    rule: 'I18 the lease of a completion covers what is sent last, too',
    file: times,
    find: 'completionAbandonMs + sendMs < completionLeaseMs,',
    put: 'completionAbandonMs < completionLeaseMs,',
    tests: margins,
  },
];
