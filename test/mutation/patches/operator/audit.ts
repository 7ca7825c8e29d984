import type { Patch } from '../../patch.ts';

const unit = ['test/unit/bin/operator/commands/audit.test.ts'];
const ports = ['test/integration/store/audit-records.ports.test.ts'];
const page = 'bin/operator/audit/page.ts';
const store = 'functions/shared/store/partners/audit-records.ts';

/** How records of operators' commands are listed. */
export const patches: readonly Patch[] = [
  {
    id: 'audit-endless-page',
    rule: 'RUN-7 a page looks at most 20 times',
    file: page,
    find: 'next !== undefined && looks < mostLooks;',
    put: 'next !== undefined;',
    tests: unit,
  },
  {
    id: 'audit-any-command-like-it',
    rule: 'RUN-7 a group of commands is named by its words',
    file: page,
    find: 'command} `)',
    put: 'command}`)',
    tests: unit,
  },
  {
    id: 'audit-storefront-as-partner',
    rule: 'RUN-7 commands on a partner, not on a storefront of its name',
    file: page,
    find: '/^(partner|events) /.test(command) &&',
    put: '',
    tests: unit,
  },
  {
    id: 'audit-one-month',
    rule: 'RUN-7 records of all months are listed',
    file: store,
    find: '...(next > since && { next }),',
    put: '...(LastEvaluatedKey && { next }),',
    tests: ports,
  },
  {
    id: 'audit-oldest-first',
    rule: 'RUN-7 the newest first',
    file: store,
    find: 'ScanIndexForward: false,',
    put: '',
    tests: ports,
  },
  {
    id: 'audit-twice',
    rule: 'RUN-7 a record is on one page',
    file: store,
    find: '.filter(({ id }) => id < below)',
    put: '',
    tests: ports,
  },
  {
    id: 'audit-all-ended',
    rule: 'RUN-7 a command that did not come to its end says so',
    file: store,
    find: 'isDone: done.has(record.id) }',
    put: 'isDone: !done.has("") }',
    tests: ports,
  },
];
