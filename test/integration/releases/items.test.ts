import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createListingAuditor } from '../../../functions/shared/store/audit/audit.ts';
import { createCursorStore } from '../../../functions/shared/store/debounce/cursors.ts';
import { createLedgerStore } from '../../../functions/shared/store/debounce/ledger.ts';
import { createRingReader } from '../../../functions/shared/store/keys/ring-reader.ts';
import { createAuditTrail } from '../../../functions/shared/store/partners/audit-log.ts';
import { createPartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { createGrantAuditor } from '../../../functions/shared/store/partners/grant-audit.ts';
import { createPartnerStore } from '../../../functions/shared/store/partners/store.ts';
import { createWebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { createDenylistReader } from '../../../functions/shared/store/requests/denylist.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createWrongSecretStore } from '../../../functions/shared/store/requests/wrong-secrets.ts';
import { createRevokedSessionReader } from '../../../functions/shared/store/sessions/revoked-sessions.ts';
import { createStorefrontStore } from '../../../functions/shared/store/storefronts/store.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { createTransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import {
  now,
  placeOf,
  readItems,
  type StoredItems,
  tableNames,
  writeItems,
} from '../../support/releases/write-items.ts';

const folder = import.meta.dirname;
const releases = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
  .sort();
const itemsOf = (release: string): StoredItems =>
  JSON.parse(readFileSync(join(folder, `${release}.json`), 'utf8'), (name, value) =>
    name === 'B' ? Buffer.from(value, 'base64') : value,
  );

const engine = useEngine();
const at = Date.parse('2026-03-01T12:00:00Z');

describe.each(releases)('D-10 what release %s has stored is read', (release) => {
  const suffix = `-${release}`;
  const place = () => placeOf(engine, suffix);

  beforeAll(async () => {
    await addTables(engine.client, suffix);
    for (const [table, items] of Object.entries(itemsOf(release)))
      for (const Item of items as Record<string, AttributeValue>[])
        await engine.client.send(new PutItemCommand({ TableName: `${table}${suffix}`, Item }));
  });

  test('transactions, with every element', async () => {
    const stored = await createTransactionReader(place()).byUuid(uuidOf(1));

    expect(stored).toMatchObject({
      version: 2,
      position: 1,
      session: 'session-1',
      createdAtMs: at,
      updatedAtMs: at + 1000,
      elementVersions: { customer: 0, payments: 2 },
      transaction: {
        uuid: uuidOf(1),
        status: 1,
        isDeleted: 0,
        customer: { email: 'ada@example.com' },
        payments: [{ id: 7 }],
        ndMeta: { group: 'group-a', franchise: 'franchise-b', location: 'location-a' },
      },
    });
    expect(stored?.transaction.deliveryCollection).toHaveProperty('lead_time');
  });

  test('lists and their totals; a deleted transaction is not in them', async () => {
    const list = await createTransactionReader(place()).listWithin({
      scope: { kind: 'grants', grants: [{ group: 'group-a' }] },
      filter: {},
      page: 1,
      perPage: 10,
    });

    expect(list).toMatchObject({ totalCount: 2 });
    expect(JSON.stringify(list)).toContain(uuidOf(2));
    expect(JSON.stringify(list)).not.toContain(uuidOf(3));
  });

  test('the listing, which is what the transactions say', async () => {
    const { entryDrift, counterDrift } = await createListingAuditor(place()).audit();

    expect([entryDrift, counterDrift]).toEqual([[], []]);
  });

  test('a transaction that this release goes on with', async () => {
    const before = await createTransactionReader(place()).byUuid(uuidOf(2));
    if (!before) throw new Error('It is not there.');

    const after = await createTransactionWriter(place()).replace(before, { ...before, version: 2 });

    expect(after).toMatchObject({ ok: true, value: { version: 2, position: 2 } });
    expect(await createNumericIds(place()).next()).toBe(2);
  });

  test('partners, their secrets and signatures, storefronts and keys', async () => {
    const partners = createPartnerStore(place());

    expect(await partners.byName('acme')).toMatchObject({
      clientId: 'P1',
      webhookUrl: 'https://acme.example/hook',
    });
    expect(await partners.credentialsOf('P1')).toMatchObject({
      partner: { name: 'acme', grants: [{ group: 'group-a' }] },
      secrets: [{ id: 'one', madeBy: 'ada', hash: 'hash', pepperId: '0' }],
    });
    expect(await partners.signatureOf('P1')).toEqual({ signature: 'signature' });
    expect(await createStorefrontStore(place()).all()).toMatchObject([
      { name: 'leeds', origins: ['https://shop.example'], retired: false },
    ]);
    expect(await createRingReader(place(), 'access')()).toMatchObject({
      revision: 1,
      entries: [{ kid: 'a', jwk: { kty: 'RSA', e: 'AQAB' } }],
    });
  });

  test('GRANT-4 partners by what they may be told of, once the index of grants is mended', async () => {
    await createGrantAuditor(place()).mend();

    expect(await createPartnerDirectory(place()).ofOwners([anOwner({ group: 'group-a' })])).toMatchObject([
      { clientId: 'P1', webhookPaused: true },
    ]);
  });

  test('what was stopped, revoked and guessed, and who did it', async () => {
    expect(await createWebhookSwitch(place()).read()).toEqual({ stoppedAtMs: at, stops: 1 });
    expect(await createRevokedSessionReader(place())('session-2')).toBe(true);
    expect(await createDenylistReader(place()).has('s1.a', now)).toBe(true);
    expect(await createWrongSecretStore(place()).timesOf('P1')).toEqual([at]);
    expect(await createAuditTrail(place()).read(now)).toMatchObject([
      { who: 'ada', command: 'partner create', arguments: { name: 'acme' }, atMs: at, isLost: false },
    ]);
  });

  test('the answer to a write, for its repetition', async () => {
    expect(await createRequestStore(place()).find('record-1', now)).toEqual({
      id: 'record-1',
      bodyHash: 'hash',
      uuid: uuidOf(1),
      answer: { status: 200, headers: { ETag: '"2.x"' }, body: '{}' },
      expiresAtMs: at + 86_400_000,
    });
  });

  test('what is due, and the ledger of what was sent', async () => {
    const ledger = createLedgerStore(place());

    expect(await createCursorStore(place()).get({ uuid: uuidOf(1), kind: 'NOTIFY' })).toMatchObject({
      dueAtMs: at + 120_000,
      revision: 0,
    });
    expect(await ledger.delivery({ eventId: 'event-1', clientId: 'P1' })).toMatchObject({
      state: 'ACCEPTED',
      busEventId: 'bus-1',
      from: 0,
      to: 1,
    });
    expect(await ledger.event('event-1')).toMatchObject({
      bodies: { plain: '{"plain":true}', tokens: '{"tokens":true}' },
    });
    expect(await createCursorStore(place()).get({ uuid: uuidOf(1), kind: 'COMPLETED' })).toMatchObject({
      kind: 'COMPLETED',
    });
  });
});

/** The attributes of each kind of item, without what they hold. */
const shapesOf = (items: StoredItems): Record<string, string[]> =>
  Object.fromEntries(
    tableNames.map((table) => {
      const shapes = (items[table] ?? []).map((item) => Object.keys(item).sort().join(' '));
      return [table, [...new Set(shapes)].sort()];
    }),
  );

test('D-10 the items of the newest release have the attributes of those that are written now', async () => {
  await addTables(engine.client, '-now');
  await writeItems(placeOf(engine, '-now'));

  expect(shapesOf(await readItems(engine, '-now'))).toEqual(shapesOf(itemsOf(releases.at(-1) ?? '')));
});
