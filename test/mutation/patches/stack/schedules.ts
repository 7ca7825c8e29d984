import type { Patch } from '../../patch.ts';

const schedule = 'lib/constructs/function-schedule.ts';
const margins = ['test/infrastructure/time-margins.test.ts'];

/** Calls by schedule, and calls of a function by itself. */
export const patches: readonly Patch[] = [
  {
    id: 'schedule-never-again',
    rule: 'I17 Lambda does not repeat a call by schedule',
    file: schedule,
    find: '    if (!isConfigured(props.function)) neverRepeat(props.function);\n',
    put: '',
    tests: margins,
  },
  {
    id: 'schedule-on',
    rule: 'interface 6.1 no schedule is switched off',
    file: schedule,
    find: "new Rule(this, 'Rule', { schedule",
    put: "new Rule(this, 'Rule', { enabled: false, schedule",
    tests: margins,
  },
  {
    id: 'schedule-once',
    rule: 'I17 a call by schedule that fails is not made again',
    file: schedule,
    find: '{ retryAttempts: 0, maxEventAge',
    put: '{ maxEventAge',
    tests: margins,
  },
  {
    id: 'schedule-age',
    rule: 'I17 a call by schedule is worthless after 60 s',
    file: schedule,
    find: 'maxEventAge: Duration.seconds(60) }',
    put: 'maxEventAge: Duration.hours(1) }',
    tests: margins,
  },
  {
    id: 'schedule-feeds-itself',
    rule: 'I17 Lambda does not stop the function that feeds its own queue',
    file: 'lib/constructs/dormant-publisher.ts',
    find: '      feedsItself: true,\n',
    put: '',
    tests: ['test/infrastructure/rights.test.ts'],
  },
];
