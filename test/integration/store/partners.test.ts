import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import type { Partner, StoredSecret } from '../../../functions/shared/domain/partner.ts';
import { addTables } from '../../support/engine/engine.ts';
import { createSignedPartnerStore } from '../../support/engine/partner-store.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPartners, type MemoryPartners } from '../../support/memory/partners.ts';

const aPartner = (change: Partial<Partner> = {}): Partner => ({
  clientId: 'clientA',
  name: 'Northgate',
  enabled: true,
  oauthScopes: ['nop2/read'],
  grants: [{ group: 'g#1', franchise: 'ü' }, { group: 'g2' }],
  showsPaymentTokens: false,
  createdAtMs: 1_700_000_000_000,
  ...change,
});
const aSecret = (id: string, createdAtMs = 1): StoredSecret => ({
  id,
  madeBy: 'ada',
  hash: `hash of ${id}`,
  pepperId: '0',
  createdAtMs,
});
const factsOf = ({ hash: _hash, pepperId: _pepper, ...facts }: StoredSecret) => facts;
const created = async (store: PartnerStore, partner = aPartner()) => {
  await store.create({ partner, secrets: [aSecret('one')] }, 'signature');
  return partner;
};

const engine = useEngine();
let sets = 0;

const inTable = async () => {
  sets += 1;
  await addTables(engine.client, `-partners-${sets}`, ['Partners']);
  return createSignedPartnerStore({ documents: engine.documents, partnersTable: tableName() });
};
const tableName = () => `Partners-partners-${sets}`;

type SignedStore = PartnerStore & Pick<MemoryPartners, 'signatureOf'>;
const stores: [string, () => Promise<SignedStore>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryPartners()],
];

describe.each(stores)('partners %s', (_where, open) => {
  test('a created partner is found by id, by name and in the list', async () => {
    const store = await open();
    const partner = aPartner({ webhookUrl: 'https://partner.example/hook' });

    expect(await store.create({ partner, secrets: [aSecret('one')] }, 'signature')).toEqual({
      ok: true,
      value: partner,
    });
    expect(await store.byClientId('clientA')).toEqual(partner);
    expect(await store.byName('Northgate')).toEqual(partner);
    expect(await store.all()).toEqual([partner]);
    expect(await store.credentialsOf('clientA')).toEqual({ partner, secrets: [aSecret('one')], uses: {} });
  });

  test('an unknown partner is not found', async () => {
    const store = await open();

    expect(await store.byClientId('clientA')).toBeUndefined();
    expect(await store.credentialsOf('clientA')).toBeUndefined();
    expect(await store.byName('Northgate')).toBeUndefined();
    expect(await store.all()).toEqual([]);
    const notFound = { ok: false, reason: 'not-found' };
    const nothing = { before: aPartner(), after: aPartner() };
    expect(await store.update(nothing)).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect(await store.rotateSignature(nothing, { announce: 's' })).toMatchObject({ ok: false });
    expect(await store.signatureOf('clientA')).toBeUndefined();
    expect(await store.profileOf('clientA')).toBeUndefined();
    expect(await store.replaceSecrets('clientA', { before: [], after: [] })).toMatchObject({ ok: false });
    expect(await store.endTokens('clientA', 1)).toEqual(notFound);
    expect(await store.remove('clientA')).toEqual(notFound);
    expect(await store.all()).toEqual([]);
  });

  test('a name is unique, even in parallel', async () => {
    const store = await open();
    const outcomes = await Promise.all(
      ['clientA', 'clientB', 'clientC'].map((clientId) =>
        store.create({ partner: aPartner({ clientId }), secrets: [] }, 'signature'),
      ),
    );

    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([
      { ok: false, reason: 'name-taken' },
      { ok: false, reason: 'name-taken' },
    ]);
    expect(await store.all()).toHaveLength(1);
  });

  test('an update replaces changeable members and leaves the secrets', async () => {
    const store = await open();
    const partner = await created(store);
    const changed = { ...partner, enabled: false, grants: [], webhookUrl: 'https://partner.example/' };

    expect(await store.update({ before: partner, after: changed })).toEqual({ ok: true, value: changed });
    expect(await store.credentialsOf('clientA')).toEqual({
      partner: changed,
      secrets: [aSecret('one')],
      uses: {},
    });
    await store.update({ before: changed, after: partner });
    expect(await store.byClientId('clientA')).toEqual(partner);
  });

  test('an update cannot change the name', async () => {
    const store = await open();
    const partner = await created(store);

    const after = { ...partner, name: 'Southgate' };
    expect(await store.update({ before: partner, after })).toMatchObject({ ok: false });
    expect(await store.all()).toEqual([partner]);
  });

  test('of two updates of the same reading the later one is refused: nothing is undone unseen', async () => {
    const store = await open();
    const before = await created(store);
    const revoked = { ...before, grants: [] };

    expect(await store.update({ before, after: revoked })).toMatchObject({ ok: true });
    expect(await store.update({ before, after: { ...before, webhookPaused: 'operator' } })).toEqual({
      ok: false,
      reason: 'changed-meanwhile',
    });
    expect(await store.byClientId('clientA')).toEqual(revoked);
  });

  test('S-27 a signature is announced and finished together with the record, or not at all', async () => {
    const store = await open();
    const before = await created(store);
    const announced = { ...before, nextSignatureMadeAtMs: 7 };
    const finished = { ...before, signatureMadeAtMs: 7 };
    const refused = { ok: false, reason: 'changed-meanwhile' };

    expect(await store.signatureOf('clientA')).toEqual({ signature: 'signature' });
    expect(await store.rotateSignature({ before, after: announced }, { announce: 'n' })).toEqual({
      ok: true,
      value: announced,
    });
    expect(await store.signatureOf('clientA')).toEqual({ signature: 'signature', next: 'n' });
    expect(await store.byClientId('clientA')).toEqual(announced);
    expect(await store.rotateSignature({ before, after: announced }, { announce: 'late' })).toEqual(refused);
    expect(await store.rotateSignature({ before, after: finished }, 'finish')).toEqual(refused);
    expect(await store.signatureOf('clientA')).toEqual({ signature: 'signature', next: 'n' });
    await store.rotateSignature({ before: announced, after: finished }, 'finish');
    expect(await store.signatureOf('clientA')).toEqual({ signature: 'n' });
    expect(await store.byClientId('clientA')).toEqual(finished);
  });

  test('S-27 without an announced value nothing is finished, and cancelling removes only that value', async () => {
    const store = await open();
    const before = await created(store);
    const announced = { ...before, nextSignatureMadeAtMs: 7 };

    expect(await store.rotateSignature({ before, after: announced }, 'finish')).toMatchObject({ ok: false });
    expect(await store.byClientId('clientA')).toEqual(before);
    await store.rotateSignature({ before, after: announced }, { announce: 'n' });
    await store.rotateSignature({ before: announced, after: before }, 'cancel');
    expect(await store.signatureOf('clientA')).toEqual({ signature: 'signature' });
    expect(await store.byClientId('clientA')).toEqual(before);
  });

  test('secrets are replaced, and the rest of the partner stays', async () => {
    const store = await open();
    const partner = await created(store);
    const before = [aSecret('one')];
    const after = [aSecret('two', 2), { ...aSecret('one'), expiresAtMs: 5 }];

    expect(await store.replaceSecrets('clientA', { before, after })).toMatchObject({ ok: true });
    expect(await store.credentialsOf('clientA')).toEqual({ partner, secrets: after, uses: {} });
    expect(await store.profileOf('clientA')).toEqual({ partner, secrets: after.map(factsOf) });
  });

  test('TOK-2 of two rotations of the same reading the later one is refused', async () => {
    const store = await open();
    await created(store);
    const before = [aSecret('one')];
    const one = [aSecret('two', 2), ...before];

    expect(await store.replaceSecrets('clientA', { before, after: one })).toMatchObject({ ok: true });
    expect(await store.replaceSecrets('clientA', { before, after: [aSecret('three')] })).toEqual({
      ok: false,
      reason: 'changed-meanwhile',
    });
    expect((await store.credentialsOf('clientA'))?.secrets).toEqual(one);
  });

  test('TOK-5 the time from which tokens count is part of the profile', async () => {
    const store = await open();
    const partner = await created(store);

    expect(await store.endTokens('clientA', 7)).toEqual({ ok: true, value: undefined });
    expect(await store.profileOf('clientA')).toEqual({
      partner,
      secrets: [factsOf(aSecret('one'))],
      tokensFromMs: 7,
    });
  });

  test('TOK-6 a revocation stays, whatever time a later one has', async () => {
    const store = await open();
    await created(store);

    await store.endTokens('clientA', 9);

    expect(await store.endTokens('clientA', 7)).toEqual({ ok: true, value: undefined });
    expect((await store.profileOf('clientA'))?.tokensFromMs).toBe(9);
  });

  test('V2-13 all partners are read with the status of their endpoints', async () => {
    const store = await open();
    const endpoint = { state: 'on', sinceMs: 1, servesFromMs: 1 } as const;
    await store.create({ partner: aPartner(), secrets: [aSecret('one')], endpoint }, 'signature');

    expect(await store.allWithStatus()).toEqual([{ partner: aPartner(), endpoint }]);
  });

  test('DR-14 the status of an endpoint is cleared, and nothing else', async () => {
    const store = await open();
    const endpoint = { state: 'on', sinceMs: 1, servesFromMs: 1 } as const;
    await store.create({ partner: aPartner(), secrets: [aSecret('one')], endpoint }, 'signature');

    await store.forgetEndpoint('clientA');
    await store.forgetEndpoint('nobody');

    expect(await store.profileOf('clientA')).toEqual({
      partner: aPartner(),
      secrets: [factsOf(aSecret('one'))],
    });
    expect(await store.profileOf('nobody')).toBeUndefined();
  });

  test('S-20 S-80 the day of each use is stored beside the partner’s record, which stays unchanged', async () => {
    const store = await open();
    const partner = await created(store);

    await store.noteUse('clientA', 'one', '2026-11-21');
    await store.noteUse('clientA', 'two', '2026-11-21');
    await store.noteUse('clientA', 'one', '2026-11-22');

    const uses = { one: '2026-11-22', two: '2026-11-21' };
    expect(await store.usesOf('clientA')).toEqual(uses);
    expect(await store.credentialsOf('clientA')).toEqual({ partner, secrets: [aSecret('one')], uses });
    expect(await store.profileOf('clientA')).toEqual({ partner, secrets: [factsOf(aSecret('one'))] });
    expect(await store.usesOf('nobody')).toEqual({});
  });

  test('S-20 TOK-2 a secret in use can be rotated, and its days are removed with its partner', async () => {
    const store = await open();
    await created(store);
    const before = [aSecret('one')];

    await store.noteUse('clientA', 'one', '2026-11-22');

    expect(await store.replaceSecrets('clientA', { before, after: [aSecret('two'), ...before] })).toEqual({
      ok: true,
      value: undefined,
    });
    await store.remove('clientA');
    expect(await store.usesOf('clientA')).toEqual({});
  });

  test('TOK-3 a new hash is stored for an existing secret, and for no other', async () => {
    const store = await open();
    const partner = await created(store);

    await store.rehash('clientA', aSecret('one'), { hash: 'new hash', pepperId: '1' });
    await store.rehash('clientA', aSecret('gone'), { hash: 'new hash', pepperId: '1' });
    await store.rehash('nobody', aSecret('one'), { hash: 'new hash', pepperId: '1' });

    expect(await store.credentialsOf('clientA')).toEqual({
      partner,
      secrets: [{ ...aSecret('one'), hash: 'new hash', pepperId: '1' }],
      uses: {},
    });
    expect(await store.credentialsOf('nobody')).toBeUndefined();
  });

  test('TOK-3 a hash that changed meanwhile stays, and so does one that a rotation has read', async () => {
    const store = await open();
    await created(store);
    const before = [aSecret('one')];

    await store.rehash('clientA', aSecret('one'), { hash: 'newest hash', pepperId: '2' });
    await store.rehash('clientA', aSecret('one'), { hash: 'late hash', pepperId: '1' });
    const rotated = await store.replaceSecrets('clientA', { before, after: [aSecret('two', 2), ...before] });

    expect(rotated).toEqual({ ok: false, reason: 'changed-meanwhile' });
    expect((await store.credentialsOf('clientA'))?.secrets).toEqual([
      { ...aSecret('one'), hash: 'newest hash', pepperId: '2' },
    ]);
  });

  test('R-42 of two revocations the later one counts, whichever is written last', async () => {
    const store = await open();
    await created(store);

    for (const atMs of [5, 9, 7]) await store.noteRevocation('clientA', atMs);
    await store.noteRevocation('nobody', 5);

    expect((await store.profileOf('clientA'))?.revokedAtMs).toBe(9);
    expect(await store.profileOf('nobody')).toBeUndefined();
  });

  test('a removed partner is gone and its name is free', async () => {
    const store = await open();
    await created(store);

    expect(await store.remove('clientA')).toEqual({ ok: true, value: undefined });
    expect([await store.byClientId('clientA'), await store.byName('Northgate'), await store.all()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
    expect(await store.signatureOf('clientA')).toBeUndefined();
    expect((await store.create({ partner: aPartner({ clientId: 'b' }), secrets: [] }, 's')).ok).toBe(true);
  });

  test('250 partners are listed by name', async () => {
    const store = await open();
    const names = Array.from({ length: 250 }, (_, index) => `Partner ${String(index).padStart(3, '0')}`);
    for (const name of [...names].reverse())
      await created(store, aPartner({ name, clientId: `id${name.slice(8)}` }));

    expect((await store.all()).map(({ name }) => name)).toEqual(names);
  }, 30_000);

  test('returned values are copies', async () => {
    const store = await open();
    await created(store);
    (await store.byClientId('clientA'))?.grants.push({ group: 'stolen' });

    expect(await store.byClientId('clientA')).toEqual(aPartner());
  });
});

describe('the Partners table', () => {
  test('S-18 stores webhook signature and hashes apart from the profile', async () => {
    await created(await inTable());
    const read = async (pk: string, sk: string) =>
      (await engine.documents.send(new GetCommand({ TableName: tableName(), Key: { pk, sk } }))).Item;

    expect(await read('WEBHOOK#clientA', 'SIGNATURE')).toMatchObject({ signature: 'signature' });
    expect(await read('HASHES#clientA', 'HASHES')).toMatchObject({
      hashes: { one: { hash: 'hash of one', pepperId: '0' } },
    });
    expect(JSON.stringify(await read('PARTNER#clientA', 'PROFILE'))).not.toMatch(/signature|hash|pepper/);
    expect(await read('PARTNERS', 'Northgate')).toMatchObject({ clientId: 'clientA' });
  });
});
