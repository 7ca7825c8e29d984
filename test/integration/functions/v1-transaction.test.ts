import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { createRevokedSessions } from '../../../bin/operator/store/session-ends.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import type { RingEntry } from '../../../functions/shared/domain/keys/key-ring.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { decoded } from '../../support/apis/token-service.ts';
import { aStorefront, shop } from '../../support/apis/v1-transaction.ts';
import { aRing } from '../../support/builders/key-rings.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { secretIds } from '../../support/functions/aws.ts';
import { askingOf, heldAtMs, sending, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
const path = '/api/transaction';
let asking: ReturnType<typeof askingOf>;
let key: JWK;

const start = async () => askingOf(await functions.start('v1-transaction'));
const rings = () => createRingStore({ documents: functions.documents, partnersTable: 'Partners' });
const holdKeys = (keys: JWK[]) => functions.aws.secrets.write(secretIds.session, JSON.stringify({ keys }));

beforeAll(async () => {
  key = await generateKey('ES256');
  await holdKeys([key]);
  await rings().replace('session', aRing([key]));
  const { register } = createStorefrontStore({ documents: functions.documents, partnersTable: 'Partners' });
  await register(aStorefront('F1', 'north'));
  await register(aStorefront('F9', 'stage', { origins: [] }), { isDefault: true });
  asking = await start();
});

/** A new session: its first transaction, and how its token is sent. */
const open = async (by = asking) => {
  const { headers, body } = await by(path);
  const token = String(headers['authentication-token']);
  return {
    uuid: String(body.uuid),
    token,
    session: String(decoded(token).claims.sub),
    bearer: bearing(token),
  };
};
const bearing = (token: string) => ({ Authorization: `Bearer ${token}` });
/** What the tables have of a transaction, and of a session. */
const reader = () => {
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
  return readerWithoutDrift({ documents: functions.documents, ...tables });
};
const stored = (uuid: string) => reader().byUuid(uuid);

test('V1-1 V1-5 OWN-1 a first call creates a transaction of the origin’s storefront, and its token reads it again', async () => {
  const first = await asking(path, { headers: { Origin: shop } });
  const token = String(first.headers['authentication-token']);
  const again = await asking(path, { headers: bearing(token) });

  expect(first.headers['Access-Control-Allow-Origin']).toBe(shop);
  expect([first.status, again.status, again.body.uuid]).toEqual([200, 200, first.body.uuid]);
  expect(await stored(first.body.uuid)).toMatchObject({
    ...{ createdAtMs: heldAtMs, session: decoded(token).claims.sub },
    transaction: { ndMeta: { location: 'north' } },
  });
  const scope = { kind: 'session', session: String(decoded(token).claims.sub) } as const;
  expect((await reader().listWithin({ scope, filter: {}, page: 1, perPage: 1 })).totalCount).toBe(1);
  expect(decoded(token)).toMatchObject({
    header: { kid: key.kid },
    claims: { iss: 'https://api.example', aud: 'https://api.example/api', iat: heldAtMs / 1000 },
  });
  expect(functions.logged('TRANSACTION_CREATED')).toMatchObject([{ service: 'v1-transaction' }]);
  expect(functions.logged('HTTP_ANSWERED')).toHaveLength(2);
});

test('OWN-1 S-24 without an origin a transaction belongs to the default storefront, and each session is new', async () => {
  const [one, other] = [await open(), await open()];

  expect((await stored(one.uuid))?.transaction.ndMeta).toMatchObject({ location: 'stage' });
  expect(one.session).not.toBe(other.session);
});

test('V1-6 WR-1 a creation and a change are done once for their key, for a day', async () => {
  const { bearer } = await open();
  const create = (body: object) =>
    asking(path, sending('POST', body, { ...bearer, 'Idempotency-Key': 'key-1' }));
  const [first, again] = [await create({ extras: { a: 1 } }), await create({ extras: { a: 1 } })];
  const change = (body: object, more = {}) =>
    asking(`${path}/${first.body.uuid}`, sending('PATCH', body, { ...bearer, ...more }));
  const changed = await Promise.all([change({ guestEmail: 'a@b.example' }), change({ document_id: '7' })]);

  expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([201, 201, 'true']);
  expect(first.headers.Location).toBe(`https://api.example/transaction/${first.body.uuid}`);
  expect(changed.map(({ status }) => status)).toEqual([200, 200]);
  expect(await stored(first.body.uuid)).toMatchObject({ version: 3, transaction: { extras: { a: 1 } } });
  functions.pass(24 * 3_600 + 1);
  const later = await create({});
  expect([later.status, later.headers['Idempotency-Replayed']]).toEqual([201, undefined]);
});

test('LINK-5 V1-2 a session’s list continues by a cursor, whose key is in the table', async () => {
  const { bearer } = await open();
  await asking(path, sending('POST', {}, bearer));
  const sealed = { TableName: 'Requests', Key: { pk: 'SEAL#V1', sk: '0' } };
  const read = async () => (await functions.documents.send(new GetCommand(sealed))).Item;
  const list = async (by: typeof asking) => {
    const { body } = await by(`${path}?filter[status]=0&per-page=1`, { headers: bearer });
    return { total: body._meta.totalCount, link: body._links.next.href };
  };

  const { total, link } = await list(asking);

  expect([total, new URL(link).origin]).toEqual([2, 'https://api.example']);
  const former = await read();
  expect(former?.expiresAt).toBeGreaterThan(heldAtMs / 1000);
  expect(former?.expiresAt).toBeLessThan(heldAtMs / 1000 + 365 * 86_400);
  await functions.documents.send(new DeleteCommand(sealed));
  await list(await start());
  expect((await read())?.key).not.toEqual(former?.key);
});

test('PAGE-4 a session’s list that does not match its total is answered, and the metric is reported', async () => {
  const { uuid, bearer } = await open();
  await functions.documents.send(new DeleteCommand({ TableName: 'Transactions', Key: { uuid } }));

  const { status } = await asking(`${path}?filter[status]=0`, { headers: bearer });

  expect(status).toBe(200);
  expect(functions.logged('LISTING_DRIFTS')).toMatchObject([{ service: 'v1-transaction', level: 'ERROR' }]);
});

test('ERR-1 a problem type links to the stage’s own document', async () => {
  const { body } = await asking(`${path}/none`);

  expect(body.type).toBe('https://api.example/docs/problems#not-found');
});

test('V1-9 a session that the operator revoked is refused at once', async () => {
  const { session, bearer } = await open();
  const other = await open();
  const before = await asking(path, { headers: bearer });
  const sessions = createRevokedSessions({ documents: functions.documents, requestsTable: 'Requests' });
  await sessions.revoke(session, new Date());

  const after = await asking(path, { headers: bearer });

  expect([before.status, after.status]).toEqual([200, 401]);
  expect((await asking(path, { headers: other.bearer })).status).toBe(200);
});

test('V1-5 a token is reissued in its last half, and not after 30 days', async () => {
  const { token, bearer } = await open();

  functions.pass(15 * 86_400 - 1);
  const early = await asking(path, { headers: bearer });
  functions.pass(1);
  const late = await asking(path, { headers: bearer });
  functions.pass(15 * 86_400 + 60);
  const after = await asking(path, { headers: bearer });

  expect(early.headers['authentication-token']).toBe(token);
  expect(late.headers['authentication-token']).not.toBe(token);
  expect(after.status).toBe(401);
});

test('M-08 M-10 a new key signs from its time on, and a retired one is refused from that moment', async () => {
  const next = await generateKey('ES256');
  const atMs = Date.now();
  const [former, fresh] = aRing([key, next]).entries as [RingEntry, RingEntry];
  const { bearer } = await open();
  await holdKeys([key, next]);
  await rings().replace('session', {
    ...{
      revision: 2,
      entries: [
        { ...former, retiresAtMs: atMs + 50_000 },
        { ...fresh, signsFromMs: atMs + 30_000 },
      ],
    },
  });
  const kidNow = async () => decoded((await open()).token).header.kid;

  functions.pass(21);
  const before = await kidNow();
  functions.pass(10);
  const after = await kidNow();
  functions.pass(15);
  const stillTaken = await asking(path, { headers: bearer });
  functions.pass(4);
  const refused = await asking(path, { headers: bearer });

  expect([before, after]).toEqual([key.kid, next.kid]);
  expect([stillTaken.status, refused.status]).toEqual([200, 401]);
});

test('S-70 without a signing key no session begins, and the metric is reported', async () => {
  await functions.aws.secrets.write(secretIds.session, 'no keys');

  const { status } = await (await start())(path);

  expect(status).toBe(500);
  expect(functions.logged('SIGNING_FAILED')).toMatchObject([{ service: 'v1-transaction', level: 'ERROR' }]);
});
