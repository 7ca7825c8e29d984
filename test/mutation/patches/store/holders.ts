import { namedPatch, type Patch } from '../../patch.ts';

const change = 'functions/shared/store/partners/grant-change.ts';
const holders = 'functions/shared/store/partners/grant-holders.ts';
const audit = 'functions/shared/store/partners/grant-audit.ts';
const command = 'bin/operator/commands/partner-audit.ts';
const ofHolders = ['test/integration/recipients/grant-holders.ports.test.ts'];
const ofAudit = ['test/integration/recipients/grant-audit.test.ts'];

const one = namedPatch('store-holder', ofHolders);

/** The index of who holds a grant, and its audit (GRANT-4). */
export const patches: readonly Patch[] = [
  one(
    ['written', 'a grant that is given enters the index of holders in the same write'],
    [holders, '    ...added.map((grant) => addHolder(TableName, grant, after.clientId)),\n', ''],
  ),
  one(
    ['taken-out', 'GRANT-4 a grant that is taken leaves the index in the same write'],
    [
      holders,
      '    ...removed.map((grant) => removeHolder(TableName, grantKey(grant), after.clientId)),\n',
      '',
    ],
  ),
  one(
    ['four-grants', 'GRANT-4 an owner is asked for by each grant that covers it'],
    [holders, 'chunk.flat()', 'chunk.flat().slice(0, 3)'],
  ),
  one(
    ['not-everybody', 'GRANT-4 an event costs the same however many partners there are'],
    [
      'functions/shared/store/partners/directory.ts',
      'const clientIds = await holdersAmong(access, owners);',
      'const clientIds = owners && (await listClientIds(access));',
    ],
    ['test/integration/recipients/event.cost.test.ts'],
  ),
  one(
    ['added-first', 'GRANT-4 of a large change, what is added is there before anything is taken away'],
    [change, '[before, ...growing, ...shrinking]', '[before, ...shrinking, ...growing]'],
    ['test/unit/functions/shared/store/partners/grant-change.test.ts'],
  ),
  one(
    ['last-step', 'GRANT-4 what stands beside the record changes with the last step of a large change'],
    ['functions/shared/store/partners/store.ts', 'step === steps.at(-1) ? more : []', 'more'],
  ),
  one(
    ['made-whole', 'GRANT-4 a partner that is changed while it is made in steps is not said to be made'],
    [
      'functions/shared/store/partners/store.ts',
      'if (!(await writeAll(others))) throw',
      'if (!(await writeAll(others)) && !made) throw',
    ],
  ),
  one(
    ['removed-anew', 'GRANT-4 a partner that is changed while it is removed is removed as it is then'],
    [
      'functions/shared/store/partners/store.ts',
      'isRemoved ? succeed(undefined) : remove(clientId);',
      "isRemoved ? succeed(undefined) : refuse('not-found');",
    ],
  ),
  one(
    ['parts-of-refused', 'GRANT-4 ERR-4 an engine at its limit is not asked for parts'],
    [
      holders,
      "chunk.length < 2 || failureOf(fault) !== 'fatal'",
      'chunk.length < 2 || failureOf(fault) === undefined',
    ],
    ['test/unit/functions/shared/store/partners/directory.test.ts'],
  ),
  one(
    ['audit-sixteen', 'GRANT-4 an audit looks at all parts of the index'],
    [audit, "'0123456789abcdef'", "'0123456789abcde'"],
    ofAudit,
  ),
  one(
    ['mend-again', 'GRANT-4 where a record changes while its place is mended, it is looked at once more'],
    [audit, 'isMended ? differences : mend(access, suspicion);', 'isMended ? differences : [];'],
    ofAudit,
  ),
  one(
    ['audit-missing', 'GRANT-4 an audit sees a grant that the index lacks'],
    [audit, 'if (!holders.get(sk)?.has(clientId)) suspect', 'if (holders.get(sk)?.has(clientId)) suspect'],
    ofAudit,
  ),
  one(
    ['audit-left-over', 'GRANT-4 an audit sees a holder without the grant'],
    [audit, 'if (!held.get(clientId)?.has(key.sk)) suspect', 'if (held.get(clientId)?.has(key.sk)) suspect'],
    ofAudit,
  ),
  one(
    ['audit-instant', 'GRANT-4 what changes while index and records are compared is no difference'],
    [audit, 'isHeld === isFound ? []', 'isHeld !== isHeld ? []'],
    ofAudit,
  ),
  one(
    ['mend-as-read', 'GRANT-4 mending counts only where the record is as it was read'],
    [audit, '      isAsRead(partnersTable, suspicion.clientId, partner),\n', ''],
    ofAudit,
  ),
  one(
    ['mend-gone', 'GRANT-4 mending takes no record away'],
    [audit, "{ ...item, ConditionExpression: 'attribute_not_exists(pk)' }", 'item'],
    ofAudit,
  ),
  one(
    ['mend-recorded', 'S-28 mending is recorded before it happens'],
    [command, "  if (mend) await context.record('partner audit', { mend });\n", ''],
    ['test/unit/bin/operator/audit-record.test.ts', 'test/unit/bin/operator/commands/partner-audit.test.ts'],
  ),
];
