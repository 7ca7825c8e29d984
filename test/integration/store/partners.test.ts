import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import type { Partner, StoredSecret } from '../../../functions/shared/domain/partner.ts';
import { aPartner, aSecret, aServedEndpoint } from '../../support/builders/a-partner.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { createSignedPartnerStore } from '../../support/engine/partner-store.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPartners, type MemoryPartners } from '../../support/memory/partners.ts';

const clientId = 'clientA';
const northgate = (changes: Partial<Partner> = {}) =>
  aPartner({
    clientId,
    name: 'Northgate',
    grants: [{ group: 'g#1', franchise: 'ü' }, { group: 'g2' }],
    ...changes,
  });
const [one, two] = [aSecret({ id: 'one' }), aSecret({ id: 'two', createdAtMs: 2 })];
const endpoint = aServedEndpoint();
const factsOf = ({ hash: _hash, pepperId: _pepper, ...facts }: StoredSecret) => facts;

const engine = useEngine();

type SignedStore = PartnerStore & Pick<MemoryPartners, 'signatureOf'>;
const inTable = async () => createSignedPartnerStore(await newTables(engine, ['Partners']));
const stores: [string, () => Promise<SignedStore>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryPartners()],
];

const done = { ok: true, value: undefined };
const overtaken = { ok: false, reason: 'changed-meanwhile' };

describe.each(stores)('partners %s', (_where, open) => {
  /** A store with one partner of one secret, whose endpoint serves. */
  const withPartner = async (partner = northgate()) => {
    const store = await open();
    const created = await store.create({ partner, secrets: [one], endpoint }, 'signature');
    return { store, partner, created };
  };

  test('a created partner is found by id, by name and in the list', async () => {
    const { store, partner, created } = await withPartner(
      northgate({ webhookUrl: 'https://p.example/hook' }),
    );

    expect(created).toEqual({ ok: true, value: partner });
    expect(await store.byClientId(clientId)).toEqual(partner);
    expect(await store.byName('Northgate')).toEqual(partner);
    expect(await store.all()).toEqual([partner]);
    expect(await store.credentialsOf(clientId)).toEqual({ partner, secrets: [one], endpoint, uses: {} });
  });

  test('an unknown partner is not found', async () => {
    const store = await open();
    const notFound = { ok: false, reason: 'not-found' };
    const nothing = { before: northgate(), after: northgate() };

    expect(await store.byClientId(clientId)).toBeUndefined();
    expect(await store.credentialsOf(clientId)).toBeUndefined();
    expect(await store.byName('Northgate')).toBeUndefined();
    expect(await store.update(nothing)).toEqual(overtaken);
    expect(await store.rotateSignature(nothing, { announce: 's' })).toMatchObject({ ok: false });
    expect(await store.replaceSecrets(clientId, { before: [], after: [] })).toMatchObject({ ok: false });
    expect(await store.endTokens(clientId, 1)).toEqual(notFound);
    expect(await store.remove(clientId)).toEqual(notFound);
    await store.noteRevocation(clientId, 5);
    await store.rehash(clientId, one, { hash: 'new hash', pepperId: '1' });
    await store.forgetEndpoint(clientId);
    expect(await store.usesOf(clientId)).toEqual({});
    expect(await store.signatureOf(clientId)).toBeUndefined();
    expect(await store.profileOf(clientId)).toBeUndefined();
    expect(await store.credentialsOf(clientId)).toBeUndefined();
    expect(await store.all()).toEqual([]);
  });

  test('a name is unique, even in parallel', async () => {
    const store = await open();
    const outcomes = await Promise.all(
      ['clientA', 'clientB', 'clientC'].map((id) =>
        store.create({ partner: northgate({ clientId: id }), secrets: [] }, 'signature'),
      ),
    );

    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual(Array(2).fill({ ok: false, reason: 'name-taken' }));
    expect(await store.all()).toHaveLength(1);
  });

  test('an update replaces what may change, also by nothing, and leaves the secrets', async () => {
    const { store, partner } = await withPartner();
    const changed = { ...partner, enabled: false, grants: [], webhookUrl: 'https://partner.example/' };

    expect(await store.update({ before: partner, after: changed })).toEqual({ ok: true, value: changed });
    expect(await store.credentialsOf(clientId)).toMatchObject({ partner: changed, secrets: [one] });
    await store.update({ before: changed, after: partner });
    expect(await store.byClientId(clientId)).toEqual(partner);
  });

  test('an update cannot change the name', async () => {
    const { store, partner } = await withPartner();

    const after = { ...partner, name: 'Southgate' };
    expect(await store.update({ before: partner, after })).toMatchObject({ ok: false });
    expect(await store.all()).toEqual([partner]);
  });

  test('of two updates of the same reading the later one is refused: nothing is undone unseen', async () => {
    const { store, partner: before } = await withPartner();
    const revoked = { ...before, grants: [] };

    expect(await store.update({ before, after: revoked })).toMatchObject({ ok: true });
    expect(await store.update({ before, after: { ...before, webhookPaused: 'operator' } })).toEqual(
      overtaken,
    );
    expect(await store.byClientId(clientId)).toEqual(revoked);
  });

  test('S-27 a signature is announced and finished together with the record, or not at all', async () => {
    const { store, partner: before } = await withPartner();
    const announced = { ...before, nextSignatureMadeAtMs: 7 };
    const finished = { ...before, signatureMadeAtMs: 7 };
    const announce = (next: string) =>
      store.rotateSignature({ before, after: announced }, { announce: next });

    expect(await store.signatureOf(clientId)).toEqual({ signature: 'signature' });
    expect(await announce('n')).toEqual({ ok: true, value: announced });
    expect(await store.byClientId(clientId)).toEqual(announced);
    expect(await announce('late')).toEqual(overtaken);
    expect(await store.rotateSignature({ before, after: finished }, 'finish')).toEqual(overtaken);
    expect(await store.signatureOf(clientId)).toEqual({ signature: 'signature', next: 'n' });
    await store.rotateSignature({ before: announced, after: finished }, 'finish');
    expect(await store.signatureOf(clientId)).toEqual({ signature: 'n' });
    expect(await store.byClientId(clientId)).toEqual(finished);
  });

  test('S-27 without an announced value nothing is finished, and cancelling removes only that value', async () => {
    const { store, partner: before } = await withPartner();
    const announced = { ...before, nextSignatureMadeAtMs: 7 };

    expect(await store.rotateSignature({ before, after: announced }, 'finish')).toMatchObject({ ok: false });
    expect(await store.byClientId(clientId)).toEqual(before);
    await store.rotateSignature({ before, after: announced }, { announce: 'n' });
    await store.rotateSignature({ before: announced, after: before }, 'cancel');
    expect(await store.signatureOf(clientId)).toEqual({ signature: 'signature' });
    expect(await store.byClientId(clientId)).toEqual(before);
  });

  test('TOK-2 secrets are replaced and leave the partner; of two rotations of the same reading the later one is refused', async () => {
    const { store, partner } = await withPartner();
    const after = [two, { ...one, expiresAtMs: 5 }];

    expect(await store.replaceSecrets(clientId, { before: [one], after })).toEqual(done);
    for (const before of [[one], [two, one]])
      expect(await store.replaceSecrets(clientId, { before, after: [two] })).toEqual(overtaken);
    expect(await store.credentialsOf(clientId)).toEqual({ partner, secrets: after, endpoint, uses: {} });
    expect(await store.profileOf(clientId)).toEqual({ partner, secrets: after.map(factsOf), endpoint });
  });

  test('TOK-5 TOK-6 the time from which tokens count is part of the profile, and no later revocation takes it back', async () => {
    const { store, partner } = await withPartner();

    expect([await store.endTokens(clientId, 9), await store.endTokens(clientId, 7)]).toEqual([done, done]);
    const secrets = [factsOf(one)];
    expect(await store.profileOf(clientId)).toEqual({ partner, secrets, endpoint, tokensFromMs: 9 });
  });

  test('V2-13 DR-14 what was reached for an endpoint is read with all partners, and forgotten alone', async () => {
    const { store, partner } = await withPartner();
    expect(await store.allWithStatus()).toEqual([{ partner, endpoint }]);

    await store.forgetEndpoint(clientId);

    expect(await store.allWithStatus()).toEqual([{ partner }]);
    expect(await store.profileOf(clientId)).toEqual({ partner, secrets: [factsOf(one)] });
  });

  test('S-20 S-80 TOK-2 the days of uses are beside the record, stop no rotation, and go with the partner', async () => {
    const { store, partner } = await withPartner();

    await store.noteUse(clientId, 'one', '2026-11-21');
    await store.noteUse(clientId, 'two', '2026-11-21');
    await store.noteUse(clientId, 'one', '2026-11-22');

    const uses = { one: '2026-11-22', two: '2026-11-21' };
    expect(await store.usesOf(clientId)).toEqual(uses);
    expect(await store.credentialsOf(clientId)).toEqual({ partner, secrets: [one], endpoint, uses });
    expect(await store.profileOf(clientId)).toEqual({ partner, secrets: [factsOf(one)], endpoint });
    expect(await store.replaceSecrets(clientId, { before: [one], after: [two, one] })).toEqual(done);
    await store.remove(clientId);
    expect(await store.usesOf(clientId)).toEqual({});
  });

  test('TOK-3 a new hash is stored for an existing secret, and for no other', async () => {
    const { store, partner } = await withPartner();
    const fresh = { hash: 'new hash', pepperId: '1' };

    await store.rehash(clientId, one, fresh);
    await store.rehash(clientId, two, fresh);

    const secrets = [{ ...one, ...fresh }];
    expect(await store.credentialsOf(clientId)).toEqual({ partner, secrets, endpoint, uses: {} });
  });

  test('TOK-3 a hash that changed meanwhile stays, and so does one that a rotation has read', async () => {
    const { store } = await withPartner();
    const newest = { hash: 'newest hash', pepperId: '2' };

    await store.rehash(clientId, one, newest);
    await store.rehash(clientId, one, { hash: 'late hash', pepperId: '1' });
    const rotated = await store.replaceSecrets(clientId, { before: [one], after: [two, one] });

    expect(rotated).toEqual(overtaken);
    expect((await store.credentialsOf(clientId))?.secrets).toEqual([{ ...one, ...newest }]);
  });

  test('R-42 of two revocations the later one counts, whichever is written last', async () => {
    const { store } = await withPartner();

    for (const atMs of [5, 9, 7]) await store.noteRevocation(clientId, atMs);

    expect((await store.profileOf(clientId))?.revokedAtMs).toBe(9);
  });

  test('a removed partner is gone and its name is free', async () => {
    const { store } = await withPartner();

    expect(await store.remove(clientId)).toEqual(done);
    expect([await store.byClientId(clientId), await store.byName('Northgate')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await store.all()).toEqual([]);
    expect(await store.signatureOf(clientId)).toBeUndefined();
    expect((await store.create({ partner: northgate({ clientId: 'b' }), secrets: [] }, 's')).ok).toBe(true);
  });

  test('250 partners are listed by name', async () => {
    const store = await open();
    const names = Array.from({ length: 250 }, (_, index) => `Partner ${String(index).padStart(3, '0')}`);
    for (const name of names.toReversed())
      await store.create({ partner: northgate({ name, clientId: `id${name.slice(8)}` }), secrets: [] }, 's');

    expect((await store.all()).map(({ name }) => name)).toEqual(names);
  }, 30_000);
});

test('S-18 the Partners table keeps webhook signature and hashes apart from the profile', async () => {
  const access = await newTables(engine, ['Partners']);
  await createSignedPartnerStore(access).create({ partner: northgate(), secrets: [one] }, 'signature');
  const read = async (pk: string, sk: string) =>
    (await engine.documents.send(new GetCommand({ TableName: access.partnersTable, Key: { pk, sk } }))).Item;

  expect(await read('WEBHOOK#clientA', 'SIGNATURE')).toMatchObject({ signature: 'signature' });
  expect(await read('HASHES#clientA', 'HASHES')).toMatchObject({
    hashes: { one: { hash: 'hash', pepperId: '0' } },
  });
  expect(JSON.stringify(await read('PARTNER#clientA', 'PROFILE'))).not.toMatch(/signature|hash|pepper/);
  expect(await read('PARTNERS', 'Northgate')).toMatchObject({ clientId: 'clientA' });
});
