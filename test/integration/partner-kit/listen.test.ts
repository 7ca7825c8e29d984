import { expect, test } from '@jest/globals';
import { runCommand } from '../../support/partner-kit/command.ts';

const signature = 'Sv7uGd0rQm3kYt5wLx9bNc2hFj4pZe8a';
const env = { TRANSACTIONS_WEBHOOK_SIGNATURE: signature };

/** `listen` while some work is done with its address; what it has printed in the end. */
const whileListening = async (args: string[], work: (url: string) => Promise<void>) => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { promise: ready, resolve: isReady } = Promise.withResolvers<string>();
  const lines: string[] = [];
  const terminal = {
    print: (text: string) => void lines.push(text),
    note: (text: string) => {
      const [url] = /http:\S+/.exec(text) ?? [];
      if (url !== undefined) isReady(url);
    },
  };
  const untilStopped = () => stopped;
  const run = runCommand(['listen', '--port', '0', ...args], { env, terminal, untilStopped });
  await work(await ready);
  stop();
  const { exitCode } = await run;
  return { exitCode, printed: lines.join('') };
};

test('KIT-25 listen keeps every rule that attack tries', async () => {
  const scores: unknown[] = [];

  await whileListening([], async (url) => {
    const { printed } = await runCommand(['attack', url, '--json'], { env });
    scores.push(JSON.parse(printed));
  });

  expect(scores).toMatchObject([{ kept: 23, broken: 0, advice: 0, unseen: 8 }]);
});

test('KIT-25 listen prints of each message its type and its result', async () => {
  const uuid = '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000';
  const { printed, exitCode } = await whileListening([], async (url) => {
    const send = (type: string, from: number, to: number, more: string[] = []) =>
      runCommand(
        ['trigger', type, url, '--uuid', uuid, '--from', String(from), '--to', String(to), ...more],
        {
          env,
          newId: () => `0000000${to}-0000-4000-8000-000000000000`,
        },
      );
    await send('TransactionUpdated', 0, 1);
    await send('TransactionUpdated', 0, 1);
    await send('TransactionUpdated', 1, 3);
    await send('TransactionUpdated', 1, 2);
    await send('TransactionCompleted', 3, 4);
    await send('WebhookTest', 0, 5);
    await send('TransactionUpdated', 3, 6, ['--signature', 'wrong']);
    await send('TransactionUpdated', 3, 7, ['--source', 'svc.production.online-payments']);
  });

  expect(exitCode).toBe(0);
  expect(printed).toBe(
    [
      `12:00:00  TransactionUpdated  ${uuid}  customer  0 → 1  id 00000001  applied`,
      `12:00:00  TransactionUpdated  ${uuid}  customer  0 → 1  id 00000001  duplicate`,
      `12:00:00  TransactionUpdated  ${uuid}  customer  1 → 3  id 00000003  applied`,
      `12:00:00  TransactionUpdated  ${uuid}  customer  1 → 2  id 00000002  older`,
      `12:00:00  TransactionCompleted  ${uuid}  payments  3 → 4  id 00000004  applied`,
      '12:00:00  WebhookTest  id 00000005  passed by',
      '12:00:00  refused with 401',
      '12:00:00  refused with 400',
      '',
    ].join('\n'),
  );
});

test('KIT-25 EV-4 EV-11 listen says if an event is new for the partner or lacks something, and that a deletion needs no read', async () => {
  const { printed } = await whileListening([], async (url) => {
    const send = (name: string, from: number, to: number, detail: object) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'X-Webhook-Signature': signature,
          ...{ 'X-Transaction-From-Version': `${from}`, 'X-Transaction-Version': `${to}` },
        },
        body: JSON.stringify({
          ...{
            id: `${name}-${to}`,
            'detail-type': 'TransactionUpdated',
            source: 'svc.staging.online-payments',
          },
          detail: { uuid: name, status: 0, ndMeta: {}, ...detail },
        }),
      });
    await send('moved', 1, 2, {});
    await send('moved', 4, 5, {});
    await send('gone', 1, 2, { isDeleted: 1 });
  });

  expect(printed).toBe(
    [
      '12:00:00  TransactionUpdated  moved  1 → 2  id moved-2  applied; new to you: read the API',
      '12:00:00  TransactionUpdated  moved  4 → 5  id moved-5  applied; gap: read the API',
      '12:00:00  TransactionUpdated  gone  deleted  1 → 2  id gone-2  applied',
      '',
    ].join('\n'),
  );
});
