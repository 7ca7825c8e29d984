import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { runCommand } from '../../support/partner-kit/command.ts';
import { refusingCopies, startPartnerReceiver } from '../../support/receivers/partner-receiver.ts';
import { root } from '../../support/repository.ts';
import { startReceiver, type TestReceiver } from '../../support/stage/receivers.ts';

const source = 'svc.staging.online-payments';
const signature = 'Sv7uGd0rQm3kYt5wLx9bNc2hFj4pZe8a';
const env = { TRANSACTIONS_WEBHOOK_SIGNATURE: signature };
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const validatorOf = (schema: string) => {
  const text = readFileSync(join(root, 'functions/shared/schema/events', `${schema}.schema.json`), 'utf8');
  const ajv = new Ajv.default({ strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(text));
};

const receiverThatAnswers = async (status: number): Promise<TestReceiver> => {
  const receiver = await startReceiver(status);
  stops.push(receiver.stop);
  return receiver;
};

describe('trigger', () => {
  test.each([
    ['TransactionUpdated', 'transaction-updated'],
    ['TransactionCompleted', 'transaction-completed'],
    ['WebhookTest', 'webhook-test'],
  ])('KIT-24 %s is what the service would send', async (type, schema) => {
    const { port, received } = await receiverThatAnswers(204);
    const args = ['trigger', type, `http://127.0.0.1:${port}/in`, '--from', '3', '--to', '5'];
    const ofProduction = { ...env, TRANSACTIONS_WEBHOOK_SOURCE: 'svc.production.online-payments' };

    expect((await runCommand(args, { env: ofProduction })).exitCode).toBe(0);

    const [{ method, body, headers } = { method: '', body: '', headers: {} }] = received;
    const isValid = validatorOf(schema);
    expect({ valid: isValid(JSON.parse(body)), errors: isValid.errors }).toEqual({
      valid: true,
      errors: null,
    });
    expect([method, JSON.parse(body).source]).toEqual(['POST', 'svc.production.online-payments']);
    expect(headers).toMatchObject({
      'user-agent': 'Amazon/EventBridge/ApiDestinations',
      range: 'bytes=0-1048575',
      'accept-encoding': 'gzip,deflate',
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': JSON.parse(body).id,
      'x-webhook-signature': signature,
    });
    const versions = {
      'x-transaction-from-version': '3',
      'x-transaction-version': '5',
      'x-transaction-omitted': '',
    };
    if (type === 'WebhookTest') expect(headers).not.toHaveProperty('x-transaction-version');
    else expect(headers).toMatchObject(versions);
  });

  test.each([
    [404, '404 is tried again only five times.'],
    [
      416,
      '416 is never tried again, and every message has a Range: ignore it, because only a GET has ranges (RFC 9110, 14.2).',
    ],
    [422, '422 is never tried again: the event is lost.'],
  ])('KIT-23 a refusal with %i ends it with 1, and with its consequence', async (status, consequence) => {
    const { port } = await receiverThatAnswers(status);
    const { exitCode, printed } = await runCommand(['trigger', 'WebhookTest', `http://127.0.0.1:${port}`], {
      env,
    });

    expect(exitCode).toBe(1);
    expect(printed).toBe(
      `WebhookTest (id 00000000-0000-4000-8000-000000000001): ${status} after 0 ms\n${consequence}\n`,
    );
  });
});

describe('attack', () => {
  test('KIT-23 a broken rule is in its line with advice, and ends it with 1', async () => {
    const receiver = await startPartnerReceiver({ signature, source }, { reading: refusingCopies() });
    stops.push(receiver.stop);
    const { exitCode, printed } = await runCommand(
      ['attack', receiver.url, '--only', 'duplicate', 'replay'],
      { env },
    );

    expect(exitCode).toBe(1);
    expect(printed).toContain(
      'BROKEN  duplicate                It takes a copy of a message without applying it again. (204, 409)\n' +
        '        An id that you have is answered 2xx and changes nothing: it is the same event, sent again. 409 is tried again for 24 hours, at most 185 times.\n',
    );
    expect(printed).toContain('1 of 3 rules kept, 2 broken.\n');
    expect(printed).not.toContain(signature);
  });

  test('KIT-23 with --json the result is one document, and it ends with 0 if all are kept', async () => {
    const receiver = await startPartnerReceiver({ signature, source });
    stops.push(receiver.stop);
    const args = ['attack', receiver.url, '--state', receiver.stateUrl, '--json'];
    const { exitCode, printed } = await runCommand(args, { env, fetch });

    expect(exitCode).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ kept: 32, broken: 0, advice: 0, unseen: 0 });
  });
});

test('KIT-23 a command ends after its response, and waits for no timeout', async () => {
  const service = createServer((request, response) => {
    const answer =
      request.url === '/oauth2/token' ? aToken : { data: [], _links: {}, _meta: { perPage: 10 } };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => service.close());
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

  // An attempt may take 30 s, and is ended here.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', join(root, 'partner-kit/bin/transactions-partner.ts'), 'events', 'list', '--json'],
    {
      timeout: 25_000,
      env: {
        TRANSACTIONS_BASE_URL: url,
        TRANSACTIONS_AUTH_URL: url,
        TRANSACTIONS_CLIENT_ID: 'c',
        TRANSACTIONS_CLIENT_SECRET: 's',
      },
    },
  );

  expect(JSON.parse(stdout)).toEqual({ data: [], _links: {}, _meta: { perPage: 10 } });
});

const aToken = { access_token: 't', token_type: 'Bearer', expires_in: 3600 };
