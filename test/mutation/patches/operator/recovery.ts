import { namedPatch, type Patch } from '../../patch.ts';

const doubt = 'bin/operator/restore/doubt.ts';
const adopt = 'bin/operator/restore/adopt.ts';
const moved = 'bin/operator/restore/transactions.ts';
const gone = 'bin/operator/restore/gone.ts';
const partners = 'bin/operator/restore/partners.ts';
const repeat = 'bin/operator/restore/repeat-command.ts';
const trail = 'functions/shared/store/partners/audit-log.ts';

const decided = ['test/unit/bin/operator/restore/doubt.test.ts'];
const command = ['test/unit/bin/operator/commands/restore.test.ts'];
const engine = ['test/integration/operator/adopt.test.ts'];
const patch = namedPatch('recovery', engine);

/** What is made whole after a restore (docs/recovery.md). */
export const patches: readonly Patch[] = [
  patch(
    ['restored-by-name', 'DR-1 functions use a restored table'],
    ['lib/data-stack.ts', '{ ...made, ...this.restored(made, config.restoredTables) }', 'made'],
    ['test/infrastructure/restored-tables.test.ts'],
  ),
  patch(
    ['audit-copy', 'DR-2 a record has its copy'],
    [
      trail,
      'of [partnersTable, auditTable])',
      'of [partnersTable, partnersTable].slice(0, auditTable.length && 1))',
    ],
    ['test/integration/store/audit-trail.test.ts'],
  ),
  patch(
    ['lift-is-no-change', 'DR-3 a version that was only lifted is told to nobody'],
    [
      'functions/shared/domain/event/cursor.ts',
      'Math.max(...Object.values(stored.elementVersions)) > notifiedVersionOf(cursor, stored)',
      '((stored as { version?: number }).version ?? 0) > notifiedVersionOf(cursor, stored)',
    ],
    ['test/unit/functions/shared/domain/event/cursor.test.ts'],
  ),
  patch(
    ['lift-wakes-nobody', 'DR-3 nor does the stream wake up for it'],
    [
      'functions/capture-change/record.ts',
      "  if (changed.length === 0 && isReadable(NewImage, version)) return refuse('unchanged');\n",
      '  void isReadable;\n',
    ],
    ['test/unit/functions/capture-change/record.test.ts'],
  ),
  patch(
    ['silent-stays', 'DR-3 a silent checkout stays silent under its new version'],
    [
      doubt,
      'stored.silentUpToVersion === stored.version ? floor',
      'stored.silentUpToVersion > floor ? floor',
    ],
    decided,
  ),
  patch(
    ['told-beyond', 'DR-4 what was told beyond the restored state is told anew'],
    [doubt, '(told?.upTo ?? 0) > stored.version', '(told?.upTo ?? 0) > floor'],
    decided,
  ),
  patch(
    ['whole', 'DR-4 it is told whole, with what is gone as removed'],
    [
      doubt,
      'versionedParts.map((part) => [part, floor])',
      "versionedParts.map((part) => [part, part === 'own' ? floor : 0])",
    ],
    decided,
  ),
  patch(
    ['nobody-knows', 'DR-4 without the ledger everything is told'],
    [
      doubt,
      'if (wentBack.transactions && wentBack.ledger)',
      'if (wentBack.transactions && wentBack.ledger && told)',
    ],
    decided,
  ),
  patch(
    ['scheduled', 'DR-4 what is to be told anew is scheduled'],
    [moved, 'if (!isPending(told, stored)) return;', 'if (!isPending(told, stored) || told) return;'],
  ),
  patch(
    ['joined', 'DR-4 what was to be sent again is ended'],
    [adopt, "if (!dryRun) await deps.ledger.move({ ...ended, reason: 'COALESCED' });", 'void ended;'],
  ),
  patch(
    ['gone', 'DR-5 what is gone is told as deleted'],
    [
      adopt,
      "  if (wentBack(adoption, 'transactions')) await tellGone(seen, adoption);\n",
      '  void [seen, tellGone];\n',
    ],
  ),
  patch(
    ['gone-again', 'DR-9 a rerun names what is gone, too'],
    [
      gone,
      'version === note.floor && position > note.lastPosition',
      'version === note.floor && position < 0',
    ],
  ),
  patch(
    ['not-kept', 'DR-5 of what nothing is kept, a person is told'],
    [gone, "return isTold ? 'not-kept' : 'nobody-told';", "return isTold ? 'nobody-told' : 'nobody-told';"],
  ),
  patch(
    ['erased-since', 'DR-4 a deletion that an erasure brings anew is told'],
    [doubt, 'stored.version - (isErasedSince ? 1 : 0)', 'stored.version - (isErasedSince ? 0 : 0)'],
    decided,
  ),
  patch(
    ['time-of-parts', 'EV-6 events that are folded again have the same bytes'],
    [
      'functions/shared/replay/coalesce.ts',
      '{ ...message, id: eventId, detail }',
      '{ ...message, id: eventId, time: performance.now(), detail }',
    ],
    ['test/unit/functions/shared/replay/coalesce.test.ts'],
  ),
  patch(
    ['told-is-lost', 'EV-11 after a restore nobody knows what was never told'],
    [
      'functions/shared/domain/event/cursor.ts',
      '  !isGivenByRestore(version) &&\n',
      '  !isGivenByRestore(-version) &&\n',
    ],
    ['test/unit/functions/shared/domain/event/cursor.test.ts'],
  ),
  patch(
    ['erased-again', 'S-61 an adoption erases again what was erased'],
    [
      adopt,
      'if (tables.some((table) => hasPersonalData.includes(table)))',
      'if (tables.length > 9 && hasPersonalData)',
    ],
    command,
  ),
  patch(
    ['dry-erasure', 'TH-22 a dry run erases nothing'],
    [
      'bin/operator/customers/erase.ts',
      'dryRun ? onlyCounting(deps) : deps',
      'dryRun ? (onlyCounting(deps) && deps) : deps',
    ],
    command,
  ),
  patch(
    ['ids', 'DR-6 numeric ids that may have been given are passed over'],
    [adopt, 'largestId: known + givenSince', 'largestId: known + 0 * givenSince'],
  ),
  patch(
    ['places', 'DR-6 no place is given twice'],
    [adopt, '  await deps.recovery.positionsAtLeast(lastPosition);\n', '  void lastPosition;\n'],
  ),
  patch(
    ['repeated', 'DR-7 what was done to partners is done again'],
    [
      partners,
      'dryRun ? repetitionOf(record) : await repeatCommand(record, deps)',
      "dryRun ? repetitionOf(record) : await repeatCommand({ ...record, command: '' }, deps)",
    ],
    command,
  ),
  patch(
    ['in-order', 'DR-7 in its order'],
    [
      partners,
      'records.filter(({ atMs }) => atMs >= firstLostMs - beforeFirstLostMs)',
      'records.filter(({ atMs }) => atMs >= firstLostMs - beforeFirstLostMs).toReversed()',
    ],
    command,
  ),
  patch(
    ['before-first-lost', 'DR-7 from right before the first lost record on'],
    [
      partners,
      'atMs >= firstLostMs - beforeFirstLostMs)',
      'atMs >= firstLostMs - beforeFirstLostMs).filter(({ isLost }) => isLost)',
    ],
    command,
  ),
  patch(
    ['not-known', 'DR-12 what gives a right is done again only where it was done'],
    [
      repeat,
      'if (isDone || !onlyWhenDone.includes(command)) return undefined;',
      'if (isDone || command) return undefined;',
    ],
    command,
  ),
  patch(
    ['until-decided', 'DR-12 what may have been deleted has no rights until a person has decided'],
    [repeat, 'if (refused) await untilDecided', 'if (!refused) await untilDecided'],
    command,
  ),
  patch(
    ['stop-goes-along', 'DR-13 a restored table has the stop before it is deployed'],
    [
      'bin/operator/commands/webhooks.ts',
      'await webhookSwitchOf(table).stop(stopped.stoppedAtMs);',
      'void webhookSwitchOf;',
    ],
    ['test/unit/bin/operator/partners/stage-webhooks.test.ts'],
  ),
  patch(
    ['done', 'DR-12 a command that came to its end says so'],
    ['bin/operator/program.ts', '      await context.noteDone();\n', ''],
    ['test/unit/bin/operator/audit-record.test.ts'],
  ),
  patch(
    ['done-elsewhere', 'DR-12 where no restore takes it back'],
    [trail, 'TableName: auditTable, Item: done', 'TableName: partnersTable, Item: done'],
    ['test/integration/store/audit-trail.test.ts'],
  ),
  patch(
    ['given-back-last', 'DR-9 records come back when all is done, the first one last'],
    [partners, 'trail.giveBack(lost.toReversed())', 'trail.giveBack(lost)'],
    command,
  ),
  patch(
    ['ended-secrets', 'DR-7 ended secrets stay ended'],
    [
      repeat,
      'after: endedSecrets(before, { atMs, overlapMs }),',
      'after: endedSecrets(before, { atMs: 0, overlapMs }),',
    ],
    command,
  ),
  patch(
    ['forgotten', 'DR-8 a record of what went back answers nobody'],
    [adopt, '    if (!dryRun) await deps.recovery.forgetRecord(id);\n', '    void id;\n'],
  ),
  patch(
    ['newest-change', 'DR-8 a transaction that was erased anew does not say when the table is of'],
    [adopt, '    if (stored.erasedAtMs === undefined)\n', ''],
  ),
  patch(
    ['tokens', 'DR-8 revoked tokens stay revoked'],
    [
      partners,
      '    if (!dryRun) await revokeTokens(partner, deps);\n',
      '    void [partner, revokeTokens];\n',
    ],
    command,
  ),
  patch(
    ['same-floor', 'DR-9 an adoption that died goes on from its own note'],
    [adopt, 'await deps.recovery.begin(planned)', '(await deps.recovery.begin(planned)) && planned'],
  ),
  patch(
    ['note-ends', 'DR-9 one that has ended leaves no note'],
    [adopt, '  if (!dryRun) await deps.recovery.end();\n', ''],
  ),
];
