import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { type CursorKeys, createCursorKeys } from '../../../functions/shared/store/requests/cursor-keys.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryCursorKeys } from '../../support/memory/cursor-keys.ts';

const engine = useEngine();
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const retryDelays = { random: () => 0, sleep: async () => {} };
const overEngine = (random = randomBytes) =>
  createCursorKeys({ documents: engine.documents, requestsTable: 'Requests', retryDelays, random });
let clients = 0;
const aClient = () => {
  clients += 1;
  return `K${clients}`;
};

describe.each([
  { name: 'stand-in in memory', open: (): CursorKeys => createMemoryCursorKeys() },
  { name: 'DynamoDB engine', open: (): CursorKeys => overEngine() },
])('$name: keys of cursors', ({ open }) => {
  test('V2-7 each partner has one of 32 bytes, and it stays the same', async () => {
    const keys = open();
    const [one, other] = [aClient(), aClient()];
    const first = await keys.of(one, nowMs);

    expect(first).toHaveLength(32);
    expect([...(await keys.of(one, nowMs + 40 * day))]).toEqual([...first]);
    expect([...(await keys.of(other, nowMs))]).not.toEqual([...first]);
  });

  test('V2-7 parallel requests get the same one', async () => {
    const keys = open();
    const client = aClient();

    const asked = await Promise.all([1, 2, 3].map(() => keys.of(client, nowMs)));

    expect(new Set(asked.map((key) => [...key].join())).size).toBe(1);
  });
});

test('LINK-5 V2-7 a process reads a key once, and again only to extend it', async () => {
  const sent: string[] = [];
  const documents = {
    send: (command: Parameters<typeof engine.documents.send>[0]) => {
      sent.push(command.constructor.name);
      return engine.documents.send(command);
    },
  } as typeof engine.documents;
  const keys = createCursorKeys({ documents, requestsTable: 'Requests', retryDelays, random: randomBytes });
  const client = aClient();

  const first = await keys.of(client, nowMs);
  await keys.of(client, nowMs + 29 * day);
  const made = sent.splice(0);
  await keys.of(client, nowMs + 31 * day);
  const last = await keys.of(client, nowMs + 60 * day);

  expect([made, sent]).toEqual([['GetCommand', 'UpdateCommand'], ['UpdateCommand']]);
  expect([...last]).toEqual([...first]);
});

test('V2-7 a key is stored for 60 days after its last extension, and extended in their second half', async () => {
  const client = aClient();
  const endOf = async () => {
    const { Item } = await engine.documents.send(
      new GetCommand({ TableName: 'Requests', Key: { pk: `SEAL#${client}`, sk: '0' } }),
    );
    return (Number(Item?.expiresAt) * 1000 - nowMs) / day;
  };
  const ends: number[] = [];
  for (const days of [0, 29, 31]) {
    await overEngine().of(client, nowMs + days * day);
    ends.push(await endOf());
  }

  expect(ends).toEqual([60, 60, 91]);
});
