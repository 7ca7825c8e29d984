import { namedPatch } from '../../patch.ts';

const removed = namedPatch('erasure', ['test/unit/bin/operator/commands/customer.test.ts']);
const erase = 'bin/operator/customers/erase.ts';
const find = 'bin/operator/customers/find.ts';
const copies = 'functions/shared/store/personal-data/copies.ts';
const ports = ['test/integration/store/personal-data.ports.test.ts'];
const domain = 'functions/shared/domain/transaction/erasure.ts';

export const patches = [
  removed(
    ['only-of-now', 'S-61 what an erasure that died had found is erased by the next one'],
    [find, '...erasedBefore]);', ']);'],
  ),
  removed(
    ['case-matters', 'S-61 an address is the same in upper and lower case'],
    [domain, 'text.trim().toLowerCase()', 'text.trim()'],
  ),
  removed(['guests-stay', 'S-61 a guest is a customer'], [domain, '...textsIn(guestEmail), ', '']),
  removed(
    ['can-be-restored', 'S-61 what was erased cannot be restored'],
    ['bin/operator/import/restore.ts', "if (deleted.erasedAtMs !== undefined) return refuse('erased');", ''],
  ),
  removed(
    ['told-twice', 'EV-11 who was told of a deletion is not told again'],
    [domain, 'isDeleted === 1 ? stored.elementVersions.own : version', 'version'],
  ),
  removed(
    ['of-later-too', 'S-61 what a customer did after an erasure stays'],
    [erase, 'atMs <= (erasedAt.get(digestOf(email)) ?? -1)', 'erasedAt.has(digestOf(email))'],
  ),
  removed(
    ['earlier-customers', 'S-61 an event of the time when the transaction was theirs is erased'],
    [find, ' || emailsOf(content).some((email) => isTheirs(email, madeAtMs))', ''],
  ),
  removed(
    ['letters', 'S-61 dead letters that nobody has collected are erased'],
    [
      erase,
      'await deps.deadLetters.remove((text) =>',
      'await deps.deadLetters.remove((text) => text.length < 0 &&',
    ],
  ),
  removed(
    ['letters-unread', 'S-61 those that cannot be read, too'],
    [
      find,
      'if (message === undefined)\n    return',
      'if (message === undefined)\n    return text.length < 0 &&',
    ],
  ),
  removed(
    ['letters-counted', 'S-62 an export says how many there are'],
    ['bin/operator/customers/export.ts', 'await deps.deadLetters.count()', '0'],
  ),
  {
    ...{ id: 'erasure-letters-kept', rule: 'S-61 letters of others are given back' },
    ...{
      file: 'bin/operator/customers/dead-letters.ts',
      find: '      if (!isWanted(Body)) continue;\n',
      put: '',
    },
    tests: ['test/integration/localstack/queue.test.ts'],
  },
  removed(
    ['long-answers', 'S-61 a long answer lies beside its record, and goes with it'],
    [copies, "'#body': 'body'", "'#body': 'nobody'"],
    ports,
  ),
  removed(
    ['whose-event', 'S-61 the body of an event says whose it is'],
    [copies, 'uuid: uuidIn(content)', 'uuid: uuidIn({ ...content, uuid: null })'],
    ports,
  ),
  removed(
    ['large-bodies', 'S-61 bodies that are rows of their own are copies, too'],
    [copies, '...(message === undefined ? [] : [{', '...(message !== null ? [] : [{'],
    ports,
  ),
  removed(
    ['expired-meanwhile', 'S-61 a copy that expired before it was erased stays gone'],
    [
      copies,
      "    ConditionExpression: 'attribute_exists(#pk)',\n    ExpressionAttributeNames: { ...names, '#pk': 'pk' },",
      '    ExpressionAttributeNames: names,',
    ],
    ports,
  ),
  removed(
    ['one-digest', 'S-61 an address has one digest'],
    [
      'functions/shared/store/personal-data/erasure-list.ts',
      '.update(comparableEmail(email))',
      '.update(comparableEmail === undefined ? "" : email)',
    ],
    ports,
  ),
  removed(
    ['all-segments', 'S-61 the whole table is read'],
    [
      'functions/shared/store/personal-data/scan.ts',
      'Array.from({ length: segments }',
      'Array.from({ length: segments - 3 }',
    ],
    ports,
  ),
  removed(
    ['judged-again', 'S-61 what names another customer after the question is not erased'],
    [erase, '!isErasedBefore && !emailsOf', '!isErasedBefore && stored.version === 0 && !emailsOf'],
  ),
  removed(
    ['loses-races', 'S-61 a change of the same moment is erased as well'],
    [erase, 'if (replaced.ok) return true;', 'return replaced.ok;'],
  ),
];
