import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../../partner-kit/src/index.ts';
import {
  aMessage,
  aReceiver,
  aTransaction,
  requestOf,
  signature,
} from '../../../support/partner-kit/webhooks.ts';

describe('KIT-11 accepted messages', () => {
  test('KIT-11 a valid message is applied once and answered with 204', async () => {
    const { deliver, changes } = aReceiver();

    expect(await deliver({ detail: { customer: { title: 'Ms' } } })).toBe(204);
    expect(await deliver({ detail: { customer: { title: 'Ms' } } })).toBe(204);

    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ kind: 'update', uuid: 'u', detail: { customer: { title: 'Ms' } } });
  });

  test.each([
    [401, 'wrong-signature', { headers: { 'X-Webhook-Signature': `${signature}x` } }],
    [401, 'wrong-signature', { headers: { 'X-Webhook-Signature': '' } }],
    [401, 'wrong-signature', { headers: { 'X-Webhook-Signature': signature.slice(1) } }],
    [400, 'wrong-source', { source: 'svc.production.online-payments' }],
    [400, 'not-a-message', { source: undefined }],
    [400, 'not-a-message', { detail: { uuid: undefined } }],
    [400, 'not-a-message', { id: '' }],
  ])('KIT-11 %i %s, and nothing is applied', async (status, reason, facts) => {
    const { handle, changes } = aReceiver();

    const response = await handle(requestOf(aMessage(facts)));

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: reason });
    expect(changes).toEqual([]);
  });

  test.each([
    ['', 400, { error: 'not-json' }],
    ['{"id":', 400, { error: 'not-json' }],
    ['[]', 400, { error: 'not-a-message' }],
    ['null', 400, { error: 'not-a-message' }],
    [`\uFEFF${aMessage().body}`, 204, undefined],
  ])('KIT-11 a signed body %j is answered with %i', async (body, status, said) => {
    const { handle } = aReceiver();

    const response = await handle(requestOf({ ...aMessage(), body }));

    expect(response.status).toBe(status);
    expect(status === 204 ? undefined : await response.json()).toEqual(said);
  });

  test('KIT-11 a wrong signature is refused before the body is read', async () => {
    const { handle } = aReceiver();
    const request = requestOf(aMessage({ headers: { 'X-Webhook-Signature': 'wrong' } }));

    await handle(request);

    expect(request.bodyUsed).toBe(false);
  });

  test('KIT-11 a body beyond the limit is 413, and one that does not come is 408', async () => {
    const { handle } = aReceiver({ bodyLimit: 2_000, sleep: async () => {} });
    const { handle: patient } = aReceiver({ bodyLimit: 2_000, sleep: () => new Promise(() => {}) });
    const { headers } = aMessage();
    const endless = new Request('https://partner.example/', {
      ...{ method: 'POST', headers, duplex: 'half' },
      body: new ReadableStream({ pull: () => new Promise(() => {}) }),
    } as RequestInit);

    expect((await patient(requestOf(aMessage({ detail: { big: 'x'.repeat(2_000) } })))).status).toBe(413);
    expect((await handle(endless)).status).toBe(408);
  });

  test('KIT-11 the default limit is 1 MiB', async () => {
    const { handle } = aReceiver();
    const bare = aMessage({ detail: { padding: '' } }).body.length;
    const statusOf = async (bytes: number) => {
      const detail = { padding: 'x'.repeat(bytes - bare) };
      return (await handle(requestOf(aMessage({ id: `id-${bytes % 2}`, detail })))).status;
    };

    expect([await statusOf(1_048_576), await statusOf(1_048_577)]).toEqual([204, 413]);
  });

  test('KIT-11 a body that breaks off is 500: the handler never rejects', async () => {
    const { handle, changes } = aReceiver();
    const broken = new Request('https://partner.example/', {
      ...{ method: 'POST', headers: aMessage().headers, duplex: 'half' },
      body: new ReadableStream({ pull: (stream) => stream.error(new Error('ECONNRESET')) }),
    } as RequestInit);

    expect((await handle(broken)).status).toBe(500);
    expect(changes).toEqual([]);
  });

  test('KIT-11 an unknown type, and a test, are accepted without being applied', async () => {
    const { deliver, changes } = aReceiver();

    expect(await deliver({ type: 'WebhookTest' })).toBe(204);
    expect(await deliver({ type: 'TransactionArchived', detail: { uuid: undefined } })).toBe(204);

    expect(changes).toEqual([]);
  });

  test('KIT-11 a request whose body was already read says so by name, and is sent again', async () => {
    const { handle, faults } = aReceiver();
    const request = requestOf(aMessage());
    await request.text();

    expect((await handle(request)).status).toBe(500);

    expect(String(faults)).toContain('give it a request.clone()');
  });
});

describe('KIT-12 deduplication and application are one step', () => {
  test('KIT-12 a message that could not be applied is 500, and applied when it is sent again', async () => {
    let isBroken = true;
    const applied: string[] = [];
    const { deliver, faults } = aReceiver({
      apply: ({ uuid }) => {
        if (isBroken) throw new Error('The table is full.');
        applied.push(uuid);
      },
    });

    expect(await deliver()).toBe(500);
    isBroken = false;
    expect(await deliver()).toBe(204);
    expect(await deliver()).toBe(204);

    expect(applied).toEqual(['u']);
    expect(faults).toEqual([new Error('The table is full.')]);
  });

  test('KIT-12 a failing database of the partner is 500 and reported, and the process continues', async () => {
    const unhandled: unknown[] = [];
    const note = (fault: unknown) => unhandled.push(fault);
    process.on('unhandledRejection', note);
    const broken = new Error('The database is away.');
    const { deliver, faults } = aReceiver({
      store: { step: () => Promise.reject(broken), unread: () => [] } as never,
    });

    expect(await deliver()).toBe(500);
    await new Promise((resolve) => setImmediate(resolve));

    process.off('unhandledRejection', note);
    expect(faults).toEqual([broken]);
    expect(unhandled).toEqual([]);
  });

  test('KIT-12 of concurrent copies one is applied', async () => {
    let count = 0;
    const { deliver } = aReceiver({
      apply: async () => {
        await new Promise(setImmediate);
        count += 1;
      },
    });

    const statuses = await Promise.all(Array.from({ length: 5 }, () => deliver()));

    expect([statuses, count]).toEqual([[204, 204, 204, 204, 204], 1]);
  });

  test('KIT-12 a slow application is 503, continues, and is known when the message is sent again', async () => {
    let release = () => {};
    let count = 0;
    const { handle, deliver } = aReceiver({
      sleep: async () => {
        await new Promise(setImmediate);
      },
      apply: () => {
        count += 1;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });

    const first = await handle(requestOf(aMessage()));
    release();

    expect(first.status).toBe(503);
    expect(await deliver()).toBe(204);
    expect(count).toBe(1);
  });

  test('KIT-12 slow work begins after the message was stored, and its failure changes no response', async () => {
    const steps: string[] = [];
    let release = () => {};
    const { handle, receiver, faults } = aReceiver({
      apply: () => void steps.push('applied'),
      afterwards: async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        steps.push('worked');
        throw new Error('The mail server is away.');
      },
    });

    const { status } = await handle(requestOf(aMessage()));
    steps.push(`answered ${status}`);
    release();
    await receiver.settled();

    expect(steps).toEqual(['applied', 'answered 204', 'worked']);
    expect(faults).toEqual([new Error('The mail server is away.')]);
  });

  test('KIT-12 a platform that stops after the response gets the promise to wait for', async () => {
    const { handle } = aReceiver();
    const waited: Promise<unknown>[] = [];

    await handle(requestOf(aMessage()), { waitUntil: (work) => void waited.push(work) });

    expect(waited).toHaveLength(1);
  });
});

/** The message of versions such as `1-2`. */
const messageOf = (range: string) => {
  const [from, to] = range.split('-').map(Number);
  return { id: range, from: from ?? 0, to: to ?? 0 };
};

/** As one over a database: what it keeps outlives the process. */
const aLastingStore = () => ({ ...memoryStore(), forgets: false });

describe('KIT-13 order by reading back', () => {
  const read = aTransaction({ customer: 'as the API shows it' });

  test.each([
    ['its beginning is applied', '0-1', 'update'],
    ['a start in the middle is read', '1-2', 'state'],
    ['what joins is applied', '0-1 1-2 1-4', 'update update update'],
    ['what is older is passed over', '0-3 1-2 0-3', 'update'],
    ['a gap is read', '0-3 5-6', 'update state'],
    ['what was missing is passed over when it comes late', '0-3 5-6 3-5', 'update state'],
    ['1 to 2 before 0 to 1 is read once', '1-2 0-1', 'state'],
    ['what follows a reading joins it', '0-3 5-6 6-7', 'update state update'],
  ])('KIT-13 %s', async (_, ranges, kinds) => {
    const { deliver, changes } = aReceiver({ readBack: async () => read });

    for (const range of ranges.split(' ')) await deliver(messageOf(range));

    expect(changes.map(({ kind }) => kind).join(' ')).toBe(kinds);
  });

  const of = (uuid: string, range: string) => ({ ...messageOf(range), id: uuid + range, detail: { uuid } });

  test('KIT-13 the store in memory keeps the transactions of the latest messages; any other is read, whatever its message', async () => {
    const { deliver, changes } = aReceiver({ store: memoryStore(2), readBack: async () => read });

    for (const [uuid, range] of [
      ['a', '0-1'],
      ['b', '0-5'],
      ['a', '1-2'],
      ['c', '0-1'],
    ] as const)
      await deliver(of(uuid, range));
    for (const [uuid, range] of [
      ['a', '2-3'],
      ['b', '0-3'],
      ['d', '0-1'],
      ['d', '1-2'],
    ] as const)
      await deliver(of(uuid, range));

    expect(changes.map(({ kind, uuid }) => `${uuid} ${kind}`)).toEqual([
      ...['a update', 'b update', 'a update', 'c update'],
      ...['a update', 'b state', 'd state', 'd update'],
    ]);
  });

  test('KIT-13 by default it keeps 100,000 transactions', async () => {
    const store = memoryStore();
    for (let index = 0; index <= 100_000; index += 1)
      await store.step(`${index}`, ({ keepChain }) => keepChain(`${index}`, { unreadTo: 1 }));

    expect(await store.unread()).toHaveLength(100_000);
  });

  test('KIT-13 an event that lacks an element is applied and then read', async () => {
    const { deliver, changes } = aReceiver({ readBack: async () => read });

    await deliver({ omitted: 'vehicle' });

    expect(changes).toMatchObject([
      { kind: 'update', omitted: ['vehicle'] },
      { kind: 'state', transaction: read },
    ]);
  });

  /** A receiver whose store lasts, and whose readings the test ends. */
  const readingSlowly = () => {
    const waiting: (() => void)[] = [];
    const { handle, receiver, changes } = aReceiver({
      store: aLastingStore(),
      readBack: () => new Promise((resolve) => waiting.push(() => resolve(read))),
    });
    return {
      deliver: async (range: string) => (await handle(requestOf(aMessage(messageOf(range))))).status,
      /** Ends the n-th reading, and waits until the one after it has begun. */
      endReading: async (index: number) => {
        while (waiting.length <= index) await new Promise(setImmediate);
        waiting[index]?.();
        for (let turns = 0; waiting.length === index + 1 && turns < 100; turns += 1)
          await new Promise(setImmediate);
      },
      kinds: () => changes.map(({ kind }) => kind),
      settled: receiver.settled,
    };
  };

  test('KIT-13 the response does not wait for the read if the store is durable; what comes meanwhile is read, too', async () => {
    const { deliver, endReading, kinds, settled } = readingSlowly();

    expect([await deliver('1-2'), await deliver('2-3')]).toEqual([204, 204]);
    await endReading(0);
    expect(kinds()).toEqual(['state']);
    await endReading(1);
    await settled();
    expect(kinds()).toEqual(['state', 'state']);
  });

  test('KIT-13 until a gap is read nothing is applied, so that no older state comes on top of it', async () => {
    const { deliver, endReading, kinds, settled } = readingSlowly();

    for (const range of ['0-3', '5-6', '2-7']) await deliver(range);
    await endReading(0);
    await endReading(1);
    await settled();

    expect(kinds()).toEqual(['update', 'state', 'state']);
  });

  test('KIT-13 a gap that could not be read is sent again to a store that is not durable', async () => {
    let isAway = true;
    const { deliver, changes, faults } = aReceiver({
      readBack: async () => {
        if (isAway) throw new Error('The API is away.');
        return read;
      },
    });

    const first = await deliver({ from: 1, to: 2 });
    isAway = false;
    const second = await deliver({ from: 1, to: 2 });

    expect([first, second]).toEqual([500, 204]);
    expect(faults).toContainEqual(new Error('The API is away.'));
    expect(changes.map(({ kind }) => kind)).toEqual(['state']);
  });

  test('KIT-13 a durable store reads it later by itself, and after a restart', async () => {
    let failures = 3;
    const pauses: number[] = [];
    const ends: (() => void)[] = [];
    const { deliver, receiver, changes } = aReceiver({
      store: aLastingStore(),
      sleep: (ms) => {
        if (ms === 2_000) return new Promise(() => {});
        pauses.push(ms);
        return new Promise((resolve) => ends.push(resolve));
      },
      readBack: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error('The API is away.');
        return read;
      },
    });

    expect(await deliver({ from: 1, to: 2 })).toBe(204);
    ends[0]?.();
    while (pauses.length < 2) await new Promise(setImmediate);
    await receiver.resume();
    const whileAway = changes.length;
    await receiver.resume();
    await receiver.resume();

    expect(pauses).toEqual([1_000, 4_000]);
    expect(whileAway).toBe(0);
    expect(changes.map(({ kind }) => kind)).toEqual(['state']);
  });

  test.each([
    ['that joins', { from: 0, to: 1 }],
    ['of a transaction that is new', { from: 4, to: 5 }],
  ])(
    'KIT-13 EV-11 a deletion %s is applied, and the API, which answers 404, is not read',
    async (_, range) => {
      const reads: string[] = [];
      const readBack = async (uuid: string) => void reads.push(uuid);
      const { deliver, changes } = aReceiver({ readBack });

      await deliver({ ...range, detail: { isDeleted: 1 } });

      expect([changes.map(({ kind }) => kind), reads]).toEqual([['deleted'], []]);
    },
  );

  test('KIT-13 a completion is outside the chain of versions', async () => {
    const { deliver, changes } = aReceiver({ readBack: async () => read });

    await deliver({ id: '1', type: 'TransactionCompleted', from: 4, to: 5 });
    await deliver({ id: '2', from: 0, to: 5 });

    expect(changes.map(({ kind }) => kind)).toEqual(['completed', 'update']);
  });
});

describe('KIT-14 order by elements', () => {
  const partsOf = (changes: readonly object[]) =>
    changes.map((change) => ('detail' in change ? Object.keys(change.detail as object) : change));

  test('KIT-14 of a late event only elements without a newer value are applied', async () => {
    const { deliver, changes } = aReceiver();

    await deliver({ id: '1', from: 1, to: 2, detail: { customer: { title: 'new' } } });
    await deliver({ id: '2', from: 0, to: 1, detail: { vehicle: {}, customer: { title: 'old' } } });

    expect(partsOf(changes)).toEqual([
      ['uuid', 'status', 'ndMeta', 'customer'],
      ['uuid', 'vehicle'],
    ]);
  });

  test('KIT-14 nothing older comes after a deletion, and a late deletion removes nothing newer', async () => {
    const { deliver, changes } = aReceiver();

    await deliver({ id: '1', from: 4, to: 5, detail: { isDeleted: 1 } });
    await deliver({ id: '2', from: 3, to: 4, detail: { customer: {} } });
    await deliver({ id: '3', from: 6, to: 7, detail: { customer: {} } });
    await deliver({ id: '4', from: 5, to: 6, detail: { isDeleted: 1 } });

    expect(changes.map(({ kind }) => kind)).toEqual(['deleted', 'update']);
  });
});

describe('KIT-14 a store in memory that has dropped versions', () => {
  const at = (seconds: number) => ({ time: `2026-11-22T12:00:0${seconds}Z` });

  test('KIT-14 refuses a message that may be older than what was applied, says why, and takes every newer one', async () => {
    const { deliver, changes, faults } = aReceiver({ store: memoryStore(1) });
    const send = (id: string, uuid: string, to: number, time: object) =>
      deliver({ id, from: to - 1, to, detail: { uuid, customer: { title: id } }, ...time });
    await send('1', 'a', 2, at(2));
    await send('2', 'b', 1, at(3));

    const late = await send('3', 'a', 1, at(2));
    const newer = [await send('4', 'a', 3, at(4)), await send('5', 'c', 1, at(4))];

    expect([late, ...newer]).toEqual([500, 204, 204]);
    expect(changes.map((change) => ('message' in change ? change.message.id : ''))).toEqual([
      '1',
      '2',
      '4',
      '5',
    ]);
    expect(String(faults)).toContain('give the receiver `readBack`, or a `store` that keeps all');
  });

  test('KIT-14 drops as many as it has too many, and no more', async () => {
    const { deliver } = aReceiver({ store: memoryStore(2) });
    const send = (uuid: string, to: number, time: object) =>
      deliver({ id: `${uuid}${to}`, from: to - 1, to, detail: { uuid }, ...time });
    for (const [uuid, seconds] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      await send(uuid, 5, at(seconds));

    expect([await send('b', 4, at(1)), await send('a', 4, at(1))]).toEqual([204, 500]);
  });

  test('KIT-14 refuses a late message of a transaction that was deleted, and does not bring it back', async () => {
    const { deliver, changes } = aReceiver({ store: memoryStore(1) });
    const deletion = { uuid: 'a', isDeleted: 1 };
    await deliver({ id: '1', from: 4, to: 5, detail: deletion, ...at(3) });
    await deliver({ id: '2', from: 0, to: 1, detail: { uuid: 'b' }, ...at(4) });

    const late = await deliver({ id: '3', from: 3, to: 4, detail: { uuid: 'a', extras: [] }, ...at(2) });

    expect(late).toBe(500);
    expect(changes.map(({ uuid }) => uuid)).toEqual(['a', 'b']);
  });

  test('KIT-14 refuses a late message by the latest time of all that was dropped, in whatever order', async () => {
    const { deliver } = aReceiver({ store: memoryStore(1) });
    const send = (id: string, uuid: string, to: number, seconds: number) =>
      deliver({ id, from: to - 1, to, detail: { uuid }, ...at(seconds) });
    await send('1', 'a', 5, 5);
    await send('2', 'b', 1, 2);
    await send('3', 'c', 1, 6);

    expect([await send('4', 'a', 4, 4), await send('5', 'd', 1, 5), await send('6', 'd', 1, 6)]).toEqual([
      500, 500, 204,
    ]);
  });
});

describe('KIT-27 reports about accepted messages', () => {
  const receiptOf = async ({ receiver }: ReturnType<typeof aReceiver>, facts = {}) => {
    const { headers, body } = aMessage(facts);
    const { receipt } = await receiver.receive({
      method: 'POST',
      header: (name) => new Headers(headers).get(name) ?? undefined,
      body: async () => ({ value: body }),
    });
    return receipt;
  };
  const fates = async (options: Parameters<typeof aReceiver>[0], messages: readonly object[]) => {
    const receiving = aReceiver(options);
    const said: unknown[] = [];
    for (const facts of messages) {
      const receipt = await receiptOf(receiving, { id: JSON.stringify(facts), ...facts });
      said.push([receipt?.outcome, receipt?.link]);
    }
    return said;
  };

  test('KIT-27 EV-4 EV-6 by elements: the position of each update in the chain, without completions', async () => {
    const completed = { type: 'TransactionCompleted', from: 6, to: 7 };
    const late = { ...messageOf('7-8'), detail: { extras: [] } };
    const before = [messageOf('1-3'), completed, completed, messageOf('3-7'), messageOf('5-8')];
    const messages = [...before, messageOf('9-10'), messageOf('8-9'), late];

    expect(await fates({}, messages)).toEqual([
      ['applied', 'starts-in-the-middle'],
      ['applied', undefined],
      ['duplicate', undefined],
      ['applied', 'fits'],
      ['applied', 'fits'],
      ['applied', 'gap'],
      ['older', 'older'],
      ['applied', 'older'],
    ]);
  });

  test('KIT-27 by reading: an update that does not join is unread, and then older', async () => {
    const store = aLastingStore();
    const readBack = async () => aTransaction();
    const unversioned = { headers: { 'X-Transaction-Version': '' } };
    const aTest = { type: 'WebhookTest', detail: {} };
    const messages = [messageOf('0-1'), messageOf('2-3'), messageOf('1-2'), unversioned, aTest];

    expect(await fates({ store, readBack }, messages)).toEqual([
      ['applied', 'fits'],
      ['unread', 'gap'],
      ['older', 'older'],
      ['unread', undefined],
      ['passed-by', undefined],
    ]);
  });

  test('KIT-27 EV-3 EV-9 EV-11 its names and versions, and nothing that a customer typed', async () => {
    const detail = { customer: { first_name: 'Ann' }, vehicle: null, payments: [] };
    const deletion = { from: 1, to: 2, detail: { isDeleted: 1 } };

    expect(
      await receiptOf(aReceiver(), { from: 0, to: 3, detail, omitted: 'extras,valuation' }),
    ).toMatchObject({
      ...{ id: 'id-1', type: 'TransactionUpdated', uuid: 'u', range: { from: 0, to: 3 } },
      ...{ changed: ['customer', 'vehicle removed', 'payments removed'], omitted: ['extras', 'valuation'] },
    });
    expect((await receiptOf(aReceiver(), deletion))?.changed).toEqual(['deleted']);
    expect((await receiptOf(aReceiver()))?.changed).toEqual([]);
  });

  test('KIT-27 nothing is reported of refused or failed messages', async () => {
    const failing = aReceiver({ apply: () => Promise.reject(new Error('The table is full.')) });

    expect(await receiptOf(aReceiver(), { source: 'svc.production.online-payments' })).toBeUndefined();
    expect(await receiptOf(failing)).toBeUndefined();
  });
});

test('KIT-11 a receiver without a signature cannot be created', () => {
  for (const signatures of [[], '', [signature, ''], [signature, undefined as never]])
    expect(() => aReceiver({ signatures })).toThrow(TypeError);
  expect(() => aReceiver({ signatures: undefined as never })).toThrow(TypeError);
});
