import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { createPartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { createEndpointStore } from '../../../functions/shared/store/partners/endpoints.ts';
import { profileKey, signatureKey } from '../../../functions/shared/store/partners/keys.ts';
import { createOwnChanges } from '../../../functions/shared/store/partners/own-changes.ts';
import type { IdempotencyRecord } from '../../../functions/shared/store/requests/request-store.ts';
import { besideOf, createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { aPartner, aSecret } from '../../support/builders/a-partner.ts';
import { createSignedPartnerStore } from '../../support/engine/partner-store.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const now = new Date('2026-03-01T12:00:00Z');
const done = { ok: true, value: undefined };
const overtaken = { ok: false, reason: 'changed-meanwhile' };
const elsewhere = { webhookUrl: 'https://new.example/', webhookChange: { by: 'partner', atMs: 1 } } as const;
const TableName = 'Partners';
let partners = 0;

/** A partner of its own, with its stores. */
const aWorld = async (changes: Partial<Partner> = {}) => {
  partners += 1;
  const { documents } = engine;
  const access = { documents, partnersTable: TableName, requestsTable: 'Requests' };
  const store = createSignedPartnerStore(access);
  const clientId = `own-${partners}`;
  const before = aPartner({ clientId, name: `Own ${partners}`, ...changes });
  await store.create({ partner: before, secrets: [aSecret()] }, 'first');
  const record: IdempotencyRecord = {
    id: `key-${partners}`,
    bodyHash: 'hash',
    uuid: '',
    answer: { status: 200, headers: {}, body: '' },
    expiresAtMs: now.getTime() + 24 * 60 * 60 * 1000,
  };
  const requests = createRequestStore(access);
  return {
    ...createOwnChanges(access),
    access,
    store,
    before,
    clientId,
    changed: (change: Partial<Partner>) => ({ before, after: { ...before, ...change } }),
    withKey: besideOf('Requests', record),
    isKept: async () => (await requests.find(record.id, now)) !== undefined,
    read: () => store.byClientId(clientId),
    signature: () => store.signatureOf(clientId),
    itemAt: async (Key: { pk: string; sk: string }) =>
      (await documents.send(new GetCommand({ TableName, Key }))).Item,
    setWebhook: (it: unknown) =>
      documents.send(
        new UpdateCommand({
          TableName,
          Key: profileKey(clientId),
          ...(it === undefined
            ? { UpdateExpression: 'REMOVE webhook' }
            : { UpdateExpression: 'SET webhook = :it', ExpressionAttributeValues: { ':it': it } }),
        }),
      ),
  };
};

describe('a partner’s own change', () => {
  test('V2-13 S-27 of record and signature and the record of its key are one step, and no value is read', async () => {
    const { replaceWebhook, before, changed, withKey, isKept, read, signature } = await aWorld();
    const announced = changed({ nextSignatureMadeAtMs: 5 });

    expect(await replaceWebhook(announced, { signature: { announce: 'second' }, ...withKey })).toEqual(done);
    expect(await signature()).toEqual({ signature: 'first', next: 'second' });
    expect(await isKept()).toBe(true);
    const finished = { before: announced.after, after: { ...before, signatureMadeAtMs: 5 } };
    expect(await replaceWebhook(finished, { signature: 'finish' })).toEqual(done);
    expect(await signature()).toEqual({ signature: 'second' });
    expect(await read()).toEqual(finished.after);
  });

  test('V2-13 announces another signature, and the one that it replaces is forgotten', async () => {
    const { replaceWebhook, before, changed, signature } = await aWorld();
    const announced = changed({ nextSignatureMadeAtMs: 5 });
    await replaceWebhook(announced, { signature: { announce: 'second' } });

    const again = { before: announced.after, after: { ...before, nextSignatureMadeAtMs: 6 } };
    await replaceWebhook(again, { signature: { announce: 'third' } });

    expect(await signature()).toEqual({ signature: 'first', next: 'third' });
  });

  test.each<[string, Partial<Partner>]>([
    ['pauses its webhook', { webhookPaused: 'operator' }],
    ['disables it', { enabled: false }],
    ['takes nop2/webhook from it', { oauthScopes: ['nop2/read'] }],
  ])('S-08 V2-13 that the operator overtakes and %s is refused as a whole', async (_, change) => {
    const { replaceWebhook, store, before, changed, withKey, isKept, read, signature } = await aWorld();
    await store.update({ before, after: { ...before, ...change } });

    const late = changed({ ...elsewhere, nextSignatureMadeAtMs: 5 });
    const written = await replaceWebhook(late, { signature: { announce: 'second' }, ...withKey });

    expect(written).toEqual(overtaken);
    expect(await read()).toEqual({ ...before, ...change });
    expect(await signature()).toEqual({ signature: 'first' });
    expect(await isKept()).toBe(false);
  });

  test('V2-13 that was made first refuses the later one of the operator', async () => {
    const { replaceWebhook, store, before, changed, read } = await aWorld();
    await replaceWebhook(changed(elsewhere), {});

    expect(await store.update({ before, after: { ...before, enabled: false } })).toEqual(overtaken);
    expect(await read()).toEqual({ ...before, ...elsewhere });
  });

  test('S-80 V2-13 leaves the grants that the operator changes meanwhile', async () => {
    const { replaceWebhook, store, before, changed, read } = await aWorld();
    await store.update({ before, after: { ...before, grants: [{ group: 'less' }] } });

    expect(await replaceWebhook(changed(elsewhere), {})).toEqual(done);
    expect(await read()).toEqual({ ...before, ...elsewhere, grants: [{ group: 'less' }] });
  });

  test('V2-13 to a signature that is not there is refused, and the present one stays', async () => {
    const { replaceWebhook, changed, signature } = await aWorld();

    expect(await replaceWebhook(changed({ signatureMadeAtMs: 5 }), { signature: 'finish' })).toEqual(
      overtaken,
    );
    expect(await signature()).toEqual({ signature: 'first' });
  });

  test('WR-1 V2-13 under a key that was used is refused as a whole, by name', async () => {
    const { replaceWebhook, replaceSecrets, store, before, changed, withKey, clientId } = await aWorld();
    const first = changed({ webhookUrl: 'https://one.example/' });
    await replaceWebhook(first, withKey);

    const second = { before: first.after, after: { ...before, webhookUrl: 'https://two.example/' } };
    const change = { before: [aSecret()], after: [aSecret({ id: 's2', hash: 'two' })] };

    const used = { ok: false, reason: 'key-used' };
    expect(await replaceWebhook(second, withKey)).toEqual(used);
    expect(await replaceSecrets(clientId, change, withKey)).toEqual(used);
    expect(await store.credentialsOf(clientId)).toMatchObject({
      partner: first.after,
      secrets: [aSecret()],
    });
  });

  test('V2-13 S-20 of secrets is made on the condition that facts and hashes are as they were read', async () => {
    const { replaceSecrets, store, withKey, isKept, clientId } = await aWorld();
    const after = [aSecret({ id: 's2', hash: 'two', createdAtMs: 7 }), aSecret({ expiresAtMs: 9 })];
    const anew = { hash: 'anew', pepperId: '1' };
    await store.rehash(clientId, aSecret(), anew);

    expect(await replaceSecrets(clientId, { before: [aSecret()], after }, withKey)).toEqual(overtaken);
    expect(await isKept()).toBe(false);
    expect(await replaceSecrets(clientId, { before: [aSecret(anew)], after }, withKey)).toEqual(done);
    expect((await store.credentialsOf(clientId))?.secrets).toEqual(after);
    expect(await isKept()).toBe(true);
  });

  test.each([undefined, { announce: 'second' }])(
    'V2-13 makes no partner that was removed meanwhile again: signature %j',
    async (step) => {
      const { replaceWebhook, store, changed, itemAt, clientId } = await aWorld();
      await store.remove(clientId);

      const written = await replaceWebhook(changed(elsewhere), step ? { signature: step } : {});

      expect(written).toEqual(overtaken);
      expect(await store.profileOf(clientId)).toBeUndefined();
      expect(await itemAt(signatureKey(clientId))).toBeUndefined();
    },
  );
});

describe('the attribute of a webhook', () => {
  test('S-80 V2-13 has a partner’s wishes beside its rights', async () => {
    const wishes = { webhookUrl: 'https://p.example/', webhookPaused: 'operator' } as const;
    const { before, itemAt, read, clientId } = await aWorld(wishes);

    const item = await itemAt(profileKey(clientId));

    const { webhookUrl: _url, webhookPaused: _paused, ...rights } = before;
    expect(item?.partner).toEqual(rights);
    expect(item?.webhook).toMatchObject(wishes);
    expect(await read()).toEqual(before);
  });

  test('S-80 gives a partner no right by what else is written into it, whoever reads it', async () => {
    const { access, store, before, setWebhook, read, clientId } = await aWorld({ enabled: false });
    await setWebhook({
      grants: [{ group: 'all' }],
      oauthScopes: ['nop2/write'],
      enabled: true,
      clientId: 'other',
      webhookUrl: 'https://p.example/',
    });

    const asRead = { ...before, webhookUrl: 'https://p.example/' };
    expect(await read()).toEqual(asRead);
    expect((await store.all()).find(({ name }) => name === before.name)).toEqual(asRead);
    expect((await createEndpointStore(access).read(clientId)).partner).toEqual(asRead);
    const directory = createPartnerDirectory({ ...access, clock: () => now });
    expect((await directory.byClientIds([clientId])).get(clientId)).toMatchObject(asRead);
  });

  test.each([
    ['is gone', undefined],
    ['is no map', 'text'],
    ['has more in it', { webhookUrl: 'https://p.example/', more: true }],
  ])('S-80 hinders nobody from disabling and removing a partner where it %s', async (_, webhook) => {
    const { store, setWebhook, read, clientId } = await aWorld();
    await setWebhook(webhook);
    const before = (await read()) as Partner;

    expect((await store.update({ before, after: { ...before, enabled: false } })).ok).toBe(true);
    expect(await read()).toEqual({ ...before, enabled: false });
    expect((await store.remove(clientId)).ok).toBe(true);
  });
});
