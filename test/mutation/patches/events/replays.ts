import { namedPatch, type Patch } from '../../patch.ts';

const write = 'functions/shared/write/optimistic-write.ts';
const create = 'functions/v1-transaction/create.ts';

const patch = namedPatch('replay', ['test/unit/functions/v2-write/idempotency.test.ts']);
const v1 = ['test/unit/functions/v1-transaction/writes.test.ts'];

/** What a caller may be answered again under its `Idempotency-Key`. */
export const patches: readonly Patch[] = [
  patch(
    ['within-grants', 'GRANT-2 what the caller may not see any more is not answered again'],
    [write, ' || !write.isVisible(before)', ''],
  ),
  patch(
    ['first-of-all', 'DEL-1 WR-1 existence is judged before the replay'],
    [
      write,
      '  const before = await deps.transactions.byUuid(write.uuid);\n',
      '  const kept = write.command && (await deps.requests.find(write.command.id, now));\n  if (write.command && kept) return replay(write.command, kept);\n  const before = await deps.transactions.byUuid(write.uuid);\n',
    ],
  ),
  patch(
    ['of-the-deleted', 'DEL-1 nothing is answered again of what was deleted'],
    [
      write,
      'before.transaction.isDeleted === 1 ||',
      '(before.transaction.isDeleted === 1 && !write.command) ||',
    ],
  ),
  patch(
    ['create-judged', 'DEL-1 GRANT-2 a creation is answered again only to who sees its transaction'],
    [create, 'stored && belongsTo(session.id, stored) ? replay', 'stored ? replay'],
    v1,
  ),
];
