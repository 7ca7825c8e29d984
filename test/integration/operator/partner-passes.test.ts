import { expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { eventStatements } from '../../../functions/shared/events/passes.ts';
import type { Pass } from '../../../functions/shared/events/rows.ts';
import { createDebounceTable } from '../../../functions/shared/events/table.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const nowMs = Date.parse('2026-11-21T12:00:00Z');
const [url, other] = ['https://p.example/', 'https://other.example/'];
const withhold: Pass = {
  ...{ kind: 'PASS', clientId: 'P', id: 'withhold', does: 'withhold', revision: 0, dueAtMs: nowMs },
};

/** A partner as it was, in new tables, and what a change of it puts beside. */
const changing = async (facts: Partial<Partner>, passes: Pass[] = []) => {
  const access = await newTables(engine);
  const before = aPartner({ clientId: 'P', name: 'p', grants: [{ group: 'G' }], ...facts });
  const store = createPartnerStore(access, (change) =>
    eventStatements(access.debounceTable, change, { nowMs, leaseMs: 20_000, newId: () => 'id' }),
  );
  await store.create({ partner: before, secrets: [] }, 's');
  const { save, passesOf } = createDebounceTable(access);
  for (const pass of passes) await save(pass);
  return {
    before,
    change: (after: Partner, about?: { isRepeated: boolean }) => store.update({ before, after }, about),
    enabled: async () => (await store.byClientId('P'))?.enabled,
    passes: async () => (await passesOf('P')).map(({ does, dueAtMs }) => [does, (dueAtMs ?? 0) - nowMs]),
  };
};
const { webhookUrl: _, ...without } = aPartner({ clientId: 'P', name: 'p', grants: [{ group: 'G' }] });
const on = { ...without, webhookUrl: url };
const off = { ...on, enabled: false };
const paused = { ...on, webhookPaused: 'operator' as const };

/** Senders that saw the former record have ended 20 s later. */
const withheld = [['withhold', 20_000]];
const woken = [['wake', 0]];
test.each<[string, Partner, Partner, (string | number)[][]]>([
  ['a disabling', on, off, withheld],
  ['a removal of the address', on, without, withheld],
  ['a removal during a pause', paused, without, withheld],
  ['a resume', paused, on, woken],
  ['an enabling', off, on, woken],
  ['an enabling of one without an address', { ...without, enabled: false }, without, []],
  ['a disabling of one without an address', without, { ...without, enabled: false }, []],
  ['a pause', on, paused, []],
  ['a first address', without, on, []],
  ['a revoked grant', on, { ...on, grants: [] }, []],
])('V2-13 I24 the write of %s has its pass', async (_, before, after, expected) => {
  const { change, passes } = await changing(before);

  expect((await change(after)).ok).toBe(true);

  expect(await passes()).toEqual(expected);
});

test.each<[string, Partner, Partner, string | undefined]>([
  ['an enabling', off, on, 'being-withheld'],
  ['an address', without, on, 'being-withheld'],
  ['another address', on, { ...on, webhookUrl: other }, 'being-withheld'],
  ['a pause', on, paused, undefined],
  ['a grant', on, { ...on, grants: [] }, undefined],
])(
  'V2-13 while what waited is withheld, the outcome of %s is as follows',
  async (_, before, after, reason) => {
    const { change } = await changing(before, [withhold]);

    const changed = await change(after);

    expect(changed.ok ? undefined : changed.reason).toBe(reason);
  },
);

test('V2-13 a refused enabling changes nothing, and a record that changed meanwhile is told from it', async () => {
  const refused = await changing(off, [withhold]);
  expect((await refused.change(on)).ok).toBe(false);
  expect([await refused.enabled(), await refused.passes()]).toEqual([false, [['withhold', 0]]]);

  const stale = await changing(off);
  await stale.change({ ...off, grants: [] });
  expect(await stale.change(on)).toEqual({ ok: false, reason: 'changed-meanwhile' });
});

test('DR-7 a change that an adoption repeats has no pass: its own write had it', async () => {
  const { change, passes } = await changing(on);

  await change(off, { isRepeated: true });

  expect(await passes()).toEqual([]);
});
