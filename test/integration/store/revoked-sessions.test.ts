import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createRevokedSessions } from '../../../bin/operator/store/revoked-sessions.ts';
import { createRevokedSessionReader } from '../../../functions/shared/store/sessions/revoked-sessions.ts';
import { aClock } from '../../support/builders/manual-clock.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
let sets = 0;

const aStage = async () => {
  sets += 1;
  await addTables(engine.client, `-${sets}`);
  const access = { documents: engine.documents, partnersTable: `Partners-${sets}` };
  const clock = aClock();
  const sessions = createRevokedSessions(access);
  const end = (id: string, days = 90) => {
    const now = clock.now();
    return sessions.revoke(id, { now, until: new Date(now.getTime() + days * 86_400_000) });
  };
  const item = async () => {
    const Key = { pk: 'STAGE', sk: 'REVOKED_SESSIONS' };
    const { Item } = await engine.documents.send(new GetCommand({ TableName: access.partnersTable, Key }));
    return Object.keys(Item ?? {}).sort();
  };
  return { access, clock, end, item, isRevoked: createRevokedSessionReader({ ...access, clock: clock.now }) };
};

test('V1-9 an ended session is known everywhere after 20 s, and others go on', async () => {
  const { clock, end, isRevoked } = await aStage();
  const before = await isRevoked('one');
  await end('one');
  await end('two');
  clock.pass({ seconds: 19 });
  const meanwhile = await isRevoked('one');
  clock.pass({ seconds: 1 });

  expect([before, meanwhile]).toEqual([false, false]);
  expect([await isRevoked('one'), await isRevoked('two'), await isRevoked('three')]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each(['pk', 'sk', '', '__proto__', 'constructor'])(
  'V1-9 a session of the name "%s" is none of ours',
  async (id) => {
    const { end, isRevoked } = await aStage();
    await end('one');

    expect(await isRevoked(id)).toBe(false);
  },
);

test('V1-9 what would have ended by itself is forgotten with the next one', async () => {
  const { clock, end, item } = await aStage();
  await end('old');
  await end('young', 91);
  clock.pass({ seconds: 90 * 86_400 });
  await end('new');

  expect(await item()).toEqual(['pk', 's#new', 's#young', 'sk']);
});

test('V1-9 of very many that would have ended, each revocation forgets a hundred', async () => {
  const { clock, end, item } = await aStage();
  for (let number = 0; number < 120; number += 1) await end(`old-${number}`);
  clock.pass({ seconds: 90 * 86_400 });

  await end('new');
  expect((await item()).length).toBe(2 + 20 + 1);
  await end('newer');
  expect(await item()).toEqual(['pk', 's#new', 's#newer', 'sk']);
});

test('V1-9 requests share a read for 20 s; where none is possible nobody is let in', async () => {
  const { access, clock } = await aStage();
  let reads = 0;
  let isBroken = false;
  const documents = new Proxy(access.documents, {
    get: (target, name) =>
      name === 'send'
        ? async (request: never) => {
            reads += 1;
            if (isBroken) throw new Error('gone');
            return target.send(request);
          }
        : Reflect.get(target, name),
  });
  const isRevoked = createRevokedSessionReader({ ...access, documents, clock: clock.now });

  for (let request = 0; request < 100; request += 1) await isRevoked('one');
  isBroken = true;
  clock.pass({ seconds: 20 });

  expect(reads).toBe(1);
  await expect(isRevoked('one')).rejects.toThrow('gone');
});
