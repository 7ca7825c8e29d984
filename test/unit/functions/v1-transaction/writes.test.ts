import { describe, expect, test } from '@jest/globals';
import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { address, aStorefront, aV1, baseUrl, shop } from '../../../support/apis/v1-transaction.ts';
import { sending } from '../../../support/builders/http-event.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryRequests } from '../../../support/memory/requests.ts';
import { memoryStores } from '../../../support/memory/stores.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

/** A session with one transaction of its own. */
const aCheckout = async (options: Parameters<typeof aV1>[0] = {}) => {
  const v1 = await aV1(options);
  const { body, token = '' } = await v1.ask(address, { headers: { Origin: shop } });
  const own = `${address}/${body.uuid}`;
  const write = (method: string, entered: object, headers: Record<string, string> = {}, path = own) =>
    v1.as(token, path, sending(method, entered, { Origin: shop, ...headers }));
  const create = (entered: object, headers = {}) => write('POST', entered, headers, address);
  return { ...v1, uuid: body.uuid as string, token, own, write, create };
};

const incentive = { incentive: true };
const keyed = (key: string) => ({ 'Idempotency-Key': key });

describe('V1-6 POST creates', () => {
  test('201 with Location, tag and the token of a new session, whose newest transaction it is', async () => {
    const v1 = await aV1();
    const entered = { vehicle: { make: 'Ford' }, guestEmail: 'a@b.example', location: 'south' };

    const { status, body, headers, token } = await v1.ask(
      `${address}?expand=vehicle`,
      sending('POST', entered, { Origin: shop }),
    );
    const newest = await v1.as(token ?? '', `${address}?expand=vehicle`);
    const byAddress = await v1.as(token ?? '', new URL(String(headers.Location)).pathname);

    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 0, guestEmail: 'a@b.example', vehicle: { make: 'Ford' } });
    expect(headers).toMatchObject({
      Location: `${baseUrl}/transaction/${body.uuid}`,
      ETag: expect.stringMatching(/^"1\./),
      'Cache-Control': 'no-store',
    });
    expect(await v1.transactions.byUuid(body.uuid)).toMatchObject({
      version: 1,
      notifyFromVersion: 1,
      session: await v1.sessionOf(token),
      elementVersions: { vehicle: 1, ndMeta: 1, own: 1, customer: 0 },
      transaction: { ndMeta: { location: 'south' } },
    });
    expect([newest.body, byAddress.status, byAddress.body.uuid]).toEqual([body, 200, body.uuid]);
  });

  test('EV-10 V1-8 a POST without a body notifies nobody, like get-or-create', async () => {
    const v1 = await aV1();

    const { status, body } = await v1.ask(address, { method: 'POST' });

    expect(status).toBe(201);
    expect(await v1.transactions.byUuid(body.uuid)).toMatchObject({ version: 1, notifyFromVersion: 2 });
  });

  test('EV-10 TH-02 the first change that is more than a move notifies partners', async () => {
    const { write, transactions, uuid } = await aCheckout();
    const changes: [string, object, number, number][] = [
      ['PATCH', { location: 'south' }, 2, 3],
      ['PUT', { location: 'north' }, 3, 4],
      ['PATCH', { extras: { mats: 1 } }, 4, 4],
      ['PATCH', { extras: null }, 5, 4],
      ['PATCH', { location: 'south' }, 6, 4],
    ];

    for (const [method, change, version, notifyFromVersion] of changes) {
      await write(method, change);
      expect(await transactions.byUuid(uuid)).toMatchObject({ version, notifyFromVersion });
    }
  });

  test.each([
    [{ location: 'nowhere' }, 403],
    [{ location: 'stage' }, 403],
    [{ isDeleted: 1 }, 422],
    [{ uuid: 'x' }, 422],
    [{ vehicle: 'x' }, 422],
    [{ vehicle: { note: 'x'.repeat(31_900) } }, 413],
  ])('%j is refused, and creates neither transaction nor session', async (entered, expected) => {
    const v1 = await aV1();

    const answer = await v1.ask(address, sending('POST', entered, { Origin: shop }));

    expect([answer.status, answer.token, await v1.howMany()]).toEqual([expected, undefined, 0]);
  });

  test('WR-1 a session may repeat a create under its key; the replay has no token', async () => {
    const { write, create, howMany } = await aCheckout();

    const first = await create(incentive, keyed('k'));
    const again = await write('POST', incentive, keyed('k'), '/transaction/');
    const other = await create({ incentive: false }, keyed('k'));

    expect([again.status, again.text, again.token]).toEqual([201, first.text, undefined]);
    expect(again.headers).toMatchObject({
      'Idempotency-Replayed': 'true',
      Location: first.headers.Location,
      'Cache-Control': 'private, no-cache',
    });
    expect([other.status, await howMany()]).toEqual([422, 2]);
  });

  test('WR-1 V1-5 a repeat with a reissued token is the same request', async () => {
    const { as, write, create, time, own, howMany } = await aCheckout();
    time.now = new Date('2026-03-20T12:00:00Z');
    const created = await create(incentive, keyed('k'));
    const changed = await write('PATCH', incentive, keyed('k'));
    const newer = changed.token ?? '';

    const again = [
      await as(newer, address, sending('POST', incentive, keyed('k'))),
      await as(newer, own, sending('PATCH', incentive, keyed('k'))),
    ];

    expect(newer).not.toBe('');
    expect(again.map(({ text }) => text)).toEqual([created.text, changed.text]);
    for (const { headers } of again) expect(headers['Idempotency-Replayed']).toBe('true');
    expect(await howMany()).toBe(2);
  });

  test.each<[string, (before: StoredTransaction) => Partial<StoredTransaction>]>([
    ['was deleted since', ({ transaction }) => ({ transaction: { ...transaction, isDeleted: 1 } })],
    ['is no longer the session’s', () => ({ session: 'another' })],
  ])(
    'DEL-1 GRANT-2 WR-1 no creation is answered again of what %s, and nothing is made',
    async (_, change) => {
      const { create, transactions, howMany } = await aCheckout();
      const first = await create(incentive, keyed('k'));
      const before = await transactions.byUuid(first.body.uuid);
      if (before) await transactions.replace(before, { ...before, ...change(before), version: 2 });
      const count = await howMany();

      const again = [await create(incentive, keyed('k')), await create({ incentive: false }, keyed('k'))];

      expect([first.status, await howMany()]).toEqual([201, count]);
      for (const { status, headers } of again)
        expect([status, headers['Idempotency-Replayed']]).toEqual([404, undefined]);
    },
  );

  test('WR-1 S-86 its replay shows the transaction as it is now, selected as in the first answer', async () => {
    const { write, create, as, token } = await aCheckout();
    const shown = '?fields=uuid,guestEmail&expand[]=customer&expand[]=vehicle';
    const entered = { guestEmail: 'a@b.example', customer: { firstName: 'Ann' } };
    const post = (query: string) => write('POST', entered, keyed('k'), `${address}${query}`);
    const first = await post(shown);
    const created = `${address}/${first.body.uuid}`;
    await write('PATCH', { guestEmail: 'c@d.example', customer: { firstName: 'Eve' } }, {}, created);

    const [again, otherwise] = [await post(shown), await post('?fields=status')];
    const present = await as(token, `${created}${shown}`);

    expect(first.body).toMatchObject({ guestEmail: 'a@b.example', customer: { firstName: 'Ann' } });
    for (const replay of [again, otherwise]) {
      expect([replay.status, replay.token, replay.text]).toEqual([201, undefined, present.text]);
      expect(replay.headers).toMatchObject({
        'Idempotency-Replayed': 'true',
        Location: `${baseUrl}/transaction/${first.body.uuid}`,
        ETag: present.headers.ETag,
      });
    }
    expect(present.body).toEqual({
      ...{ uuid: first.body.uuid, guestEmail: 'c@d.example' },
      ...{ vehicle: null, customer: { firstName: 'Eve' } },
    });
    expect(present.headers.ETag).toMatch(/^"2\./);
    expect((await create({ ...entered, incentive: true }, keyed('k'))).status).toBe(422);
  });

  test('WR-1 two parallel creates under one key create one transaction', async () => {
    const { transactions, requests } = memoryStores(() => new Date('2026-03-01T12:00:00Z'));
    const { promise: bothHaveLooked, resolve } = Promise.withResolvers<void>();
    let looked = 0;
    const find: typeof requests.find = async (...asked) => {
      const found = await requests.find(...asked);
      looked += 1;
      if (looked === 2) resolve();
      await bothHaveLooked;
      return found;
    };
    const { create } = await aCheckout({ transactions, requests: { ...requests, find } });

    const answers = await Promise.all([create(incentive, keyed('k')), create(incentive, keyed('k'))]);

    const replays = answers.map(({ headers }) => headers['Idempotency-Replayed']);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(replays.filter((replay) => replay === 'true')).toHaveLength(1);
  });

  test('WR-1 the key of an anonymous first call is ignored', async () => {
    const v1 = await aV1();

    const answers = await Promise.all(
      ['k', 'k', 'not a key'].map((key) => v1.ask(address, sending('POST', {}, keyed(key)))),
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.uuid)).size).toBe(3);
    expect(new Set(answers.map(({ token }) => token)).size).toBe(3);
  });
});

/** Every record of an `Idempotency-Key` that a checkout stores. */
const aRecordedCheckout = async () => {
  const records: unknown[] = [];
  const requests = createMemoryRequests();
  const { put, remember } = requests;
  requests.put = (record) => {
    records.push(structuredClone(record));
    put(record);
  };
  requests.remember = (record, now) => {
    records.push(structuredClone(record));
    return remember(record, now);
  };
  const transactions = createMemoryTransactions(requests);
  return { ...(await aCheckout({ requests, transactions })), records };
};

test('WR-1 S-57 S-86 the record of a session’s write has status, Location and selection, and no content', async () => {
  const { create, write, own, uuid, records } = await aRecordedCheckout();
  const entered = { customer: { firstName: 'canary-name' } };

  const created = await create(entered, keyed('canary-key-1'));
  await write(
    'PATCH',
    entered,
    keyed('canary-key-2'),
    `${own}?expand=customer&fields[]=uuid&fields[]=status`,
  );
  await write('PUT', {}, keyed('canary-key-3'));

  const facts = { id: expect.any(String), bodyHash: expect.any(String), expiresAtMs: 1_772_452_800_000 };
  expect(records).toEqual([
    {
      ...{ ...facts, uuid: created.body.uuid },
      answer: {
        status: 201,
        headers: { Location: `${baseUrl}/transaction/${created.body.uuid}` },
        selection: { fields: '', expand: '' },
      },
    },
    {
      ...{ ...facts, uuid },
      answer: { status: 200, headers: {}, selection: { fields: 'uuid,status', expand: 'customer' } },
    },
    { ...{ ...facts, uuid }, answer: { status: 200, headers: {}, selection: { fields: '', expand: '' } } },
  ]);
  expect(JSON.stringify(records)).not.toContain('canary');
});

describe('WR-4 S-86 what a session writes', () => {
  const ofSession =
    'A checkout may bring its transaction to at most 32,000 bytes of JSON beside its payments.';
  /** A transaction of the session that a partner has made this large. */
  const aLargeOne = async (note: number) => {
    const checkout = await aCheckout();
    const { given, sessionOf, token, write, transactions } = checkout;
    await given(await sessionOf(token), { uuid: uuidOf(1), vehicle: { note: 'x'.repeat(note) } });
    return {
      patch: (entered: object) => write('PATCH', entered, {}, `${address}/${uuidOf(1)}`),
      put: (entered: object) => write('PUT', entered, {}, `${address}/${uuidOf(1)}`),
      version: async () => (await transactions.byUuid(uuidOf(1)))?.version,
    };
  };

  test('a POST and its body have at most 32 kB, and the refusal says so', async () => {
    const { create, write, howMany } = await aCheckout();

    const transaction = await create({ vehicle: { note: 'x'.repeat(31_900) } });
    const body = await write('POST', { vehicle: { note: 'x'.repeat(32_000) } }, {}, address);
    const fitting = await create({ vehicle: { note: 'x'.repeat(31_000) } });

    expect([transaction.status, transaction.body.detail]).toEqual([413, ofSession]);
    expect([body.status, body.body.detail]).toEqual([413, 'A body may have at most 32,000 bytes.']);
    expect([fitting.status, await howMany()]).toEqual([201, 2]);
  });

  test('a PATCH and a PUT beyond 32 kB are 413, and nothing is written', async () => {
    const { patch, put, version } = await aLargeOne(20_000);

    const answers = [
      await patch({ customer: { note: 'x'.repeat(11_900) } }),
      await put({ vehicle: { note: 'x'.repeat(32_000) } }),
    ];

    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual([
      [413, ofSession],
      [413, ofSession],
    ]);
    expect(await version()).toBe(1);
  });

  test('a transaction that a partner made larger can be changed and enlarged up to 100 kB by its buyer', async () => {
    const { patch, put } = await aLargeOne(40_000);

    const enlarged = await patch({ customer: { note: 'x'.repeat(45_000) } });
    const beyond = await patch({ extras: { note: 'x'.repeat(15_000) } });
    const replaced = await put({ vehicle: { note: 'x'.repeat(50_000) } });
    const reduced = await patch({ customer: null, vehicle: { note: 'x'.repeat(30_000) } });
    const again = await patch({ extras: { note: 'x'.repeat(3_000) } });

    expect([enlarged, beyond, replaced, reduced, again].map(({ status }) => status)).toEqual([
      ...[200, 413, 200, 200, 413],
    ]);
    expect(beyond.body.detail).toBe(
      'A transaction may have at most 100,000 bytes of JSON beside its payments.',
    );
    expect(again.body.detail).toBe(ofSession);
  });
});

describe('V1-6 PATCH and PUT', () => {
  test.each(['PATCH', 'PUT'])(
    'WR-1 S-86 the replay of a %s shows the transaction as it is now, selected as in the first answer',
    async (method) => {
      const { write, as, own, uuid, transactions, token } = await aCheckout();
      const shown = `${own}?fields=status,guestEmail&expand=customer`;
      const entered = { guestEmail: 'a@b.example', customer: { firstName: 'Ann' } };
      const ask = (path: string) => write(method, entered, { ...keyed('k'), 'If-Match': '"1.x"' }, path);
      const first = await ask(shown);
      await write('PATCH', { guestEmail: 'c@d.example' });
      const paid = await transactions.byUuid(uuid);
      if (paid)
        await transactions.replace(paid, {
          ...{ ...paid, version: 4 },
          transaction: { ...paid.transaction, status: 1 },
        });

      const [again, otherwise] = [await ask(shown), await ask(own)];
      const present = await as(token, shown);

      expect(first.body).toEqual({
        ...{ status: 0, guestEmail: 'a@b.example', customer: { firstName: 'Ann' } },
      });
      expect(present.body).toEqual({ ...first.body, status: 1, guestEmail: 'c@d.example' });
      expect(present.headers.ETag).toMatch(/^"4\./);
      for (const replay of [again, otherwise]) {
        expect([replay.status, replay.token, replay.text]).toEqual([200, undefined, present.text]);
        expect(replay.headers).toMatchObject({
          'Idempotency-Replayed': 'true',
          ETag: present.headers.ETag,
        });
      }
      expect((await transactions.byUuid(uuid))?.version).toBe(4);
      expect((await write(method, { incentive: true }, keyed('k'))).status).toBe(422);
    },
  );

  test.each([
    ['by the first request', { guestEmail: 'a@b.example' }, { guestEmail: 'a@b.example' }, 200],
    ['by its deletion', { isDeleted: 1 }, {}, 404],
  ])(
    'WR-1 S-86 a replay that read the transaction before it was changed %s shows its present state',
    async (_, entered, shown, expected) => {
      const { transactions, requests } = memoryStores(() => new Date('2026-03-01T12:00:00Z'));
      const { write } = await aCheckout({ transactions, requests });
      const ask = () => write('PATCH', entered, keyed('k'));
      const { byUuid } = transactions;
      transactions.byUuid = async (asked) => {
        transactions.byUuid = byUuid;
        const before = await byUuid(asked);
        await ask();
        return before;
      };

      const again = await ask();

      expect([again.status, again.headers['Idempotency-Replayed']]).toEqual([
        expected,
        expected === 200 ? 'true' : undefined,
      ]);
      expect(again.body).toMatchObject(shown);
      expect(again.headers.ETag).toEqual(expected === 200 ? expect.stringMatching(/^"2\./) : undefined);
    },
  );

  test('WR-1 DEL-1 a deleted transaction is not shown by the replay of its deletion', async () => {
    const { write } = await aCheckout();
    const remove = () => write('PATCH', { isDeleted: 1 }, keyed('k'));

    const [first, again] = [await remove(), await remove()];

    expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([
      ...[200, 404, undefined],
    ]);
  });

  test('PATCH merges an element, PUT replaces it, and both leave the others', async () => {
    const { write, own } = await aCheckout();
    const expanded = `${own}?expand=vehicle,customer`;
    await write('PATCH', { vehicle: { make: 'Ford' }, customer: { firstName: 'A', lastName: 'B' } });

    const merged = await write('PATCH', { customer: { firstName: null, title: 'Dr' } }, {}, expanded);
    const replaced = await write('PUT', { customer: { lastName: 'C' } }, {}, expanded);

    expect(merged.body.customer).toEqual({ lastName: 'B', title: 'Dr' });
    expect(replaced).toMatchObject({ status: 200, headers: { ETag: expect.stringMatching(/^"4\./) } });
    expect([replaced.body.vehicle, replaced.body.customer]).toEqual([{ make: 'Ford' }, { lastName: 'C' }]);
  });

  test.each(['PATCH', 'PUT'])('%s without a token is 401, also for a uuid that exists', async (method) => {
    const { ask, own } = await aCheckout();

    const headers = { 'WWW-Authenticate': 'Bearer realm="api"' };
    expect(await ask(own, sending(method, {}))).toMatchObject({ status: 401, token: undefined, headers });
  });

  test('V1-2 S-09 uuids of another session, unknown, deleted and malformed ones are the same 404', async () => {
    const { write, given, sessionOf, token } = await aCheckout();
    await given('another', { uuid: uuidOf(1) });
    await given(await sessionOf(token), { uuid: uuidOf(2), isDeleted: 1 });

    const answers = await Promise.all(
      [uuidOf(1), uuidOf(2), uuidOf(3), 'x', '%00'].map((uuid) =>
        write('PATCH', incentive, {}, `${address}/${uuid}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, instance: '' }))).size).toBe(1);
  });

  test.each<[object, Record<string, string>, number]>([
    [incentive, {}, 409],
    [{}, {}, 409],
    [{ isDeleted: 1 }, {}, 409],
    [{ location: 'south' }, {}, 409],
    [{}, { 'If-Match': '"0.x"' }, 412],
  ])('WR-2 a complete transaction refuses %j with %j by %i', async (entered, headers, expected) => {
    const { write, given, sessionOf, token, transactions } = await aCheckout();
    await given(await sessionOf(token), { uuid: uuidOf(1), status: 1, editable: false });

    const { status } = await write('PATCH', entered, headers, `${address}/${uuidOf(1)}`);

    expect(status).toBe(expected);
    expect((await transactions.byUuid(uuidOf(1)))?.version).toBe(1);
  });

  test('DEL-1 the session that owns a transaction deletes it, and reads it no more', async () => {
    const { write, as, own, token } = await aCheckout();

    expect((await write('PATCH', { isDeleted: 1 })).body.isDeleted).toBe(1);
    expect((await as(token, own)).status).toBe(404);
    expect((await write('PATCH', {})).status).toBe(404);
  });
});

describe('OWN-1 moves of a session', () => {
  const registered = [
    aStorefront('F1', 'north'),
    aStorefront('F1', 'south', { createdAtMs: 1 }),
    aStorefront('F2', 'south', { createdAtMs: 2 }),
    aStorefront('F2', 'north', { createdAtMs: 3 }),
    aStorefront('F3', 'else', { origins: ['https://else.example'] }),
  ];
  test.each([
    [{ location: 'south', franchise: 'F2' }, shop, 200, 'F2 south'],
    [{ franchise: 'F2' }, shop, 200, 'F2 north'],
    [{ location: 'north' }, shop, 200, 'F1 north'],
    [{ location: 'south' }, shop, 422, 'F1 north'],
    [{ location: 'else' }, shop, 403, 'F1 north'],
    [{ location: 'south', franchise: 'F2' }, 'https://else.example', 403, 'F1 north'],
    [{ location: 'north' }, 'https://unknown.example', 200, 'F1 north'],
    [{ location: 'stage' }, 'https://unknown.example', 200, 'F9 stage'],
  ])('%j from %s', async (claim, origin, expected, place) => {
    const { write, transactions, uuid } = await aCheckout({ registered });

    const { status } = await write('PATCH', claim, { Origin: origin });

    const owner = (await transactions.byUuid(uuid))?.transaction.ndMeta;
    expect([status, `${owner?.franchise} ${owner?.location}`]).toEqual([expected, place]);
  });
});
