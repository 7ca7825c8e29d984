import type { Patch } from '../../patch.ts';

const reader = 'functions/shared/store/transactions/reader.ts';
const get = 'functions/shared/store/transactions/get.ts';
const sweep = 'functions/shared/store/transactions/sweep.ts';
const write = 'functions/shared/store/transactions/write.ts';
const audit = 'functions/shared/store/audit/audit.ts';
const races = ['test/integration/listing/listing.races.test.ts'];
const ports = ['test/integration/store/transactions.ports.test.ts'];
const sweeps = ['test/integration/write-model/writes.sweep.test.ts'];
const lostAnswers = ['test/integration/write-model/writes.lost-answers.test.ts'];
const repairs = ['test/integration/listing/listing.writes.test.ts'];

/** What is read of transactions while others write them; the sweep and the repair of their listing. */
export const patches: readonly Patch[] = [
  {
    id: 'reader-judges-records',
    rule: 'STO-5 a record is judged again after it was listed',
    file: reader,
    find: '.filter((stored) => isVisible(request, stored));',
    put: '.slice();',
    tests: races,
  },
  {
    id: 'reader-four-reads',
    rule: 'STO-5 a short page is read again, three times',
    file: reader,
    find: 'const maximumReads = 4;',
    put: 'const maximumReads = 2;',
    tests: races,
  },
  {
    id: 'reader-third-try',
    rule: 'STO-5 a short page is read again a third time',
    file: reader,
    find: 'const maximumReads = 4;',
    put: 'const maximumReads = 3;',
    tests: races,
  },
  {
    id: 'reader-ends',
    rule: 'STO-5 a page is read four times at most',
    file: reader,
    find: 'const maximumReads = 4;',
    put: 'const maximumReads = 5;',
    tests: races,
  },
  {
    id: 'reader-expected-count',
    rule: 'STO-5 a last page that is not full is as it should be',
    file: reader,
    find: 'Math.min(wanted.count, Math.max(0, totalCount - wanted.offset))',
    put: 'wanted.count',
    tests: races,
  },
  {
    id: 'reader-doubled',
    rule: 'STO-5 a record that was listed twice is asked for once',
    file: get,
    find: '[...new Set(uuids)]',
    put: 'uuids',
    tests: races,
  },
  {
    id: 'reader-one-on-page-one',
    rule: 'FLT-1 the one transaction of a uuid is on page 1 alone',
    file: reader,
    find: ': request.page === 1;',
    put: ': request.page > 0;',
    tests: ports,
  },
  {
    id: 'reader-one-behind-cursor',
    rule: 'LINK-5 the one transaction of a uuid is behind the records before it alone',
    file: reader,
    find: '(found?.position ?? 0) > anchor',
    put: '(found?.position ?? 0) >= anchor',
    tests: ports,
  },
  {
    id: 'reader-one-is-visible',
    rule: 'FLT-3 the one transaction of a uuid is judged as others are',
    file: reader,
    find: 'found && isVisible(request, found) ? [found] : []',
    put: 'found ? [found] : []',
    tests: ports,
  },
  {
    id: 'reader-cursor-within',
    rule: 'LINK-5 a cursor whose record left the scope is ignored',
    file: reader,
    find: 'anchor && isWithin(scope, anchor) ? anchor.position',
    put: 'anchor ? anchor.position',
    tests: ports,
  },
  {
    id: 'reader-session-vehicle',
    rule: 'STO-5 a session’s records are judged by the filter',
    file: reader,
    find: 'return found !== undefined && isVisible({ scope, filter }, found);',
    put: 'return found !== undefined;',
    tests: races,
  },
  {
    id: 'reader-newest-visible',
    rule: 'V1-1 the newest incomplete one is judged by its record',
    file: reader,
    find: 'if (stored && isVisible(request, stored)) return stored;',
    put: 'if (stored) return stored;',
    tests: races,
  },
  {
    id: 'reader-newest-accept',
    rule: 'V1-1 records of complete ones are not read for it',
    file: reader,
    find: 'accept: ({ s }) => s === 0,',
    put: 'accept: () => true,',
    tests: races,
  },
  {
    id: 'reader-newest-first',
    rule: 'V1-1 the newest one comes first',
    file: reader,
    find: 'of entries.reverse())',
    put: 'of entries)',
    tests: races,
  },
  {
    id: 'reader-overlong-uuid',
    rule: 'ERR-4 a uuid that no key can hold is not found, not a fault',
    file: get,
    find: "if (uuid === '' || Buffer.byteLength(uuid) > 2048) return undefined;",
    put: "if (uuid === '') return undefined;",
    tests: ports,
  },
  {
    id: 'sweep-mark-rises',
    rule: 'V1-8 the mark of the sweep never goes back',
    file: sweep,
    find: "ConditionExpression: 'attribute_not_exists(#n) OR #n <= :position',",
    put: "ConditionExpression: 'attribute_not_exists(#n) OR #n >= :position OR #n <= :position',",
    tests: sweeps,
  },
  {
    id: 'sweep-thirty-days',
    rule: 'V1-8 what is not yet 30 days old stays',
    file: sweep,
    find: 'if (stored.createdAtMs > cutoffMs)',
    put: 'if (stored.createdAtMs > cutoffMs + 86_400_000)',
    tests: sweeps,
  },
  {
    id: 'sweep-untouched',
    rule: 'V1-8 only what says nothing yet is removed',
    file: sweep,
    find: 'if (!isSilent(stored)) return false;',
    put: 'if (!isSilent(stored) && stored.silentUpToVersion !== 1) return false;',
    tests: sweeps,
  },
  {
    id: 'sweep-imports',
    rule: 'V1-8 imports say nothing about their neighbours',
    file: sweep,
    find: 'if (stored?.session === undefined) continue;',
    put: 'if (stored === undefined) continue;',
    tests: sweeps,
  },
  {
    id: 'sweep-as-read',
    rule: 'V1-8 a change in the last moment keeps its transaction',
    file: sweep,
    find: "ConditionExpression: '#version = :version AND #position = :position',",
    put: "ConditionExpression: '#version <= :version OR #version > :version AND #position = :position',",
    tests: sweeps,
  },
  {
    id: 'repair-version',
    rule: 'STO-6 a repair leaves alone what was changed since it was counted',
    file: audit,
    find: '...(owner ? [isStillAt(access, owner.transaction.uuid, owner.version)] : []),',
    put: '...(owner && !isStillAt ? [isStillAt(access, owner.transaction.uuid, owner.version)] : []),',
    tests: repairs,
  },
  {
    id: 'repair-found-twice',
    rule: 'STO-6 a repair mends only what both of its counts found',
    replacements: [
      {
        file: audit,
        find: 'second.entryFindings.filter(stays)',
        put: 'second.entryFindings.filter((finding) => stays(finding) || finding)',
      },
      {
        file: audit,
        find: 'second.counterFindings.filter(stays)',
        put: 'second.counterFindings.filter((finding) => stays(finding) || finding)',
      },
    ],
    tests: repairs,
  },
  {
    id: 'writer-record-decides',
    rule: 'WR-1 under a key the record alone says whose write it was',
    file: write,
    find: '!perhapsDone || record',
    put: '!perhapsDone',
    tests: lostAnswers,
  },
];
