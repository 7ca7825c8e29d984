import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { createPartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { createEndpointStore } from '../../../functions/shared/store/partners/endpoints.ts';
import { profileKey } from '../../../functions/shared/store/partners/keys.ts';
import { createOwnChanges } from '../../../functions/shared/store/partners/own-changes.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const TableName = 'Partners';
const open = () => {
  const access = { documents: engine.documents, partnersTable: TableName };
  return { store: createPartnerStore(access), own: createOwnChanges(access), access };
};

const created = async (clientId: string, changes: Partial<Partner> = {}) => {
  const partner = aPartner({ clientId, name: clientId, ...changes });
  await open().store.create({ partner, secrets: [] }, 'signature');
  return partner;
};

const elsewhere = { webhookUrl: 'https://new.example/', webhookChange: { by: 'partner', atMs: 1 } } as const;

test('S-80 V2-13 a partner’s settings of its webhook are an attribute beside its rights', async () => {
  const partner = await created('apart', { webhookUrl: 'https://p.example/', webhookPaused: 'operator' });

  const { Item } = await engine.documents.send(new GetCommand({ TableName, Key: profileKey('apart') }));

  const { webhookUrl, webhookPaused, ...rights } = partner;
  expect(Item?.partner).toEqual(rights);
  expect(Item?.webhook).toMatchObject({ webhookUrl, webhookPaused });
  expect(await open().store.byClientId('apart')).toEqual(partner);
});

test('S-80 other contents of the settings give a partner no right', async () => {
  const { access, store } = open();
  const partner = await created('greedy', { enabled: false });
  const forged = {
    grants: [{ group: 'all' }],
    oauthScopes: ['nop2/write'],
    enabled: true,
    clientId: 'other',
  };
  await engine.documents.send(
    new UpdateCommand({
      ...{ TableName, Key: profileKey('greedy') },
      UpdateExpression: 'SET webhook = :forged',
      ExpressionAttributeValues: { ':forged': { ...forged, webhookUrl: 'https://p.example/' } },
    }),
  );

  const asRead = { ...partner, webhookUrl: 'https://p.example/' };
  expect(await store.byClientId('greedy')).toEqual(asRead);
  expect((await store.all()).find(({ name }) => name === 'greedy')).toEqual(asRead);
  expect((await createEndpointStore(access).read('greedy')).partner).toEqual(asRead);
  const directory = createPartnerDirectory({ ...access, clock: () => new Date() });
  expect((await directory.byClientIds(['greedy'])).get('greedy')).toMatchObject(asRead);
});

test('S-80 V2-13 a partner’s own change leaves grants that the operator changes meanwhile', async () => {
  const { store, own } = open();
  const before = await created('both');
  await store.update({ before, after: { ...before, grants: [{ group: 'less' }] } });

  const written = await own.replaceWebhook({ before, after: { ...before, ...elsewhere } }, {});

  expect(written.ok).toBe(true);
  expect(await store.byClientId('both')).toEqual({
    ...{ ...before, ...elsewhere },
    grants: [{ group: 'less' }],
  });
});

test.each([
  ['disables it', { enabled: false }],
  ['takes nop2/webhook from it', { oauthScopes: ['nop2/read' as const] }],
])('S-08 V2-13 a change of a partner is not made if the operator %s meanwhile', async (what, change) => {
  const { store, own } = open();
  const before = await created(what, { oauthScopes: ['nop2/read', 'nop2/webhook'] });
  await store.update({ before, after: { ...before, ...change } });

  expect(await own.replaceWebhook({ before, after: { ...before, ...elsewhere } }, {})).toEqual({
    ...{ ok: false, reason: 'changed-meanwhile' },
  });
  expect(await store.byClientId(what)).toEqual({ ...before, ...change });
});

test.each([
  ['is gone', undefined],
  ['is no map', 'text'],
  ['has more in it', { webhookUrl: 'https://p.example/', more: true }],
])('S-80 the operator disables and removes a partner whose webhook attribute %s', async (what, webhook) => {
  const { store } = open();
  await created(what);
  await engine.documents.send(
    new UpdateCommand({
      ...{ TableName, Key: profileKey(what) },
      ...(webhook === undefined
        ? { UpdateExpression: 'REMOVE webhook' }
        : { UpdateExpression: 'SET webhook = :it', ExpressionAttributeValues: { ':it': webhook } }),
    }),
  );
  const before = (await store.byClientId(what)) as Partner;

  expect((await store.update({ before, after: { ...before, enabled: false } })).ok).toBe(true);
  expect(await store.byClientId(what)).toEqual({ ...before, enabled: false });
  expect((await store.remove(what)).ok).toBe(true);
});

test('V2-13 of a change of the operator and one of the partner to the same webhook the later one is refused', async () => {
  const { store, own } = open();
  const before = await created('late');
  const paused = { ...before, webhookPaused: 'operator' } as const;

  await store.update({ before, after: paused });

  expect(await own.replaceWebhook({ before, after: { ...before, ...elsewhere } }, {})).toEqual({
    ...{ ok: false, reason: 'changed-meanwhile' },
  });
  await own.replaceWebhook({ before: paused, after: { ...paused, ...elsewhere } }, {});
  expect(await store.update({ before: paused, after: { ...paused, enabled: false } })).toEqual({
    ...{ ok: false, reason: 'changed-meanwhile' },
  });
  expect(await store.byClientId('late')).toEqual({ ...paused, ...elsewhere });
});

test('V2-13 a partner that is removed meanwhile is not created again by its own change', async () => {
  const { store, own } = open();
  const before = await created('gone');
  await store.remove('gone');

  expect((await own.replaceWebhook({ before, after: { ...before, ...elsewhere } }, {})).ok).toBe(false);
  expect(await store.profileOf('gone')).toBeUndefined();
});
