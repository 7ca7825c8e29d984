import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { JWK } from 'jose';
import { putByFetch } from '../../../functions/rotate-keys/custom-resource.ts';
import type { handler as Rotate } from '../../../functions/rotate-keys/index.ts';
import { parsePeppers } from '../../../functions/shared/auth/peppers.ts';
import type { KeyKind } from '../../../functions/shared/domain/keys/key-ring.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { createUserKeyReader } from '../../../functions/shared/store/keys/user-key.ts';
import { secretIds } from '../../support/functions/aws.ts';
import { heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';

type Received = {
  method: string | undefined;
  path: string | undefined;
  type: string | undefined;
  body: string;
};

let received: Received[];
let status: number;
const server = createServer(async (request, response) => {
  const { method, url: path, headers } = request;
  received.push({ method, path, type: headers['content-type'], body: await text(request) });
  response.writeHead(status).end();
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?X-Amz-Signature=s`;

beforeEach(async () => {
  received = [];
  status = 200;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('the response goes to CloudFormation’s address, without the content type that its signature excludes', async () => {
  await putByFetch(address(), '{"Status":"SUCCESS"}');

  expect(received).toEqual([
    { method: 'PUT', path: '/answer?X-Amz-Signature=s', type: '', body: '{"Status":"SUCCESS"}' },
  ]);
});

test('a response that CloudFormation refuses is a fault', async () => {
  status = 403;
  await expect(putByFetch(address(), '{}')).rejects.toThrow(
    'CloudFormation did not accept the response: 403',
  );
});

describe('rotate-keys as Lambda starts it', () => {
  const functions = useFunctions();
  let rotate: typeof Rotate;
  beforeEach(async () => {
    rotate = await functions.start('rotate-keys');
  });

  const ringOf = (kind: KeyKind) =>
    createRingStore({ documents: functions.documents, partnersTable: 'Partners' }).read(kind);
  const textOf = async (kind: KeyKind) => (await functions.aws.secrets.read(secretIds[kind])) ?? '';
  const kinds: KeyKind[] = ['access', 'session', 'pepper'];
  const version = '0123456789abcdef0123456789abcdef';

  test('V1-10 a stage gets one key for users’ sessions, which no later deployment replaces', async () => {
    const read = createUserKeyReader({ documents: functions.documents, partnersTable: 'Partners' });
    await rotate({ RequestType: 'Create', ResponseURL: address() });
    const first = await read();
    await rotate({ RequestType: 'Update', ResponseURL: address() });

    expect(first).toMatch(/^[A-Za-z0-9]{64}$/);
    const again = createUserKeyReader({ documents: functions.documents, partnersTable: 'Partners' });
    expect(await again()).toBe(first);
  });

  test('TOK-3 M-08 a new stage gets two keys of each kind, in secrets and rings, and CloudFormation its response', async () => {
    await functions.documents.send(
      new DeleteCommand({ TableName: 'Partners', Key: { pk: 'KEYS', sk: 'ACCESS' } }),
    );

    await rotate({ RequestType: 'Create', ResponseURL: address() });

    expect(received.map(({ body }) => JSON.parse(body).Status)).toEqual(['SUCCESS']);
    const algs = async (kind: KeyKind) => JSON.parse(await textOf(kind)).keys.map(({ alg }: JWK) => alg);
    expect([await algs('access'), await algs('session')]).toEqual([
      ['RS256', 'RS256'],
      ['ES256', 'ES256'],
    ]);
    const peppers = parsePeppers(await textOf('pepper'));
    expect([...peppers.values()].map(({ length }) => length)).toEqual([64, 64]);
    expect(new Set(peppers.values()).size).toBe(2);
    for (const kind of kinds) {
      const { entries = [] } = (await ringOf(kind)) ?? {};
      for (const { kid, madeAtMs } of entries) {
        expect(await textOf(kind)).toContain(kid);
        expect(madeAtMs).toBe(heldAtMs);
      }
      expect(entries).toHaveLength(2);
    }
  });

  test.each(kinds)(
    'M-08 the four steps of a rotation put a new key of kind %s into secret and ring',
    async (keyKind) => {
      functions.pass(60);
      const SecretId = secretIds[keyKind];

      for (const Step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const)
        await rotate({ Step, SecretId, ClientRequestToken: version });

      expect(await textOf(keyKind)).toContain(version);
      const ring = await ringOf(keyKind);
      expect(ring?.entries.find(({ kid }) => kid === version)).toMatchObject({ madeAtMs: Date.now() });
      expect(functions.logged('KEYS_ROTATED')).toMatchObject([
        { service: 'rotate-keys', keyKind, kid: version },
      ]);
    },
  );

  test('S-70 a failed step throws, and the metric is reported', async () => {
    const step = { Step: 'finishSecret', SecretId: secretIds.access } as const;

    await expect(rotate({ ...step, ClientRequestToken: 'f'.repeat(32) })).rejects.toThrow(
      'keys that cannot be read',
    );

    expect(functions.logged('KEYS_FAILED')).toMatchObject([{ service: 'rotate-keys', level: 'ERROR' }]);
  });

  test('S-47 in AWS it sends responses only to CloudFormation’s own bucket of its region', async () => {
    const bucketIn = (region: string) =>
      `https://cloudformation-custom-resource-response-${region.replaceAll('-', '')}.s3.${region}.amazonaws.com/a`;
    for (const name of Object.keys(process.env))
      if (name.startsWith('AWS_ENDPOINT_URL')) delete process.env[name];
    const inAws: typeof Rotate = await functions.start('rotate-keys');
    const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response());

    for (const ResponseURL of [address(), bucketIn('us-east-1')])
      await expect(inAws({ RequestType: 'Delete', ResponseURL })).rejects.toThrow(
        'does not belong to CloudFormation',
      );
    await inAws({ RequestType: 'Delete', ResponseURL: bucketIn('eu-west-2') });

    expect(fetched.mock.calls.map(([url]) => url)).toEqual([bucketIn('eu-west-2')]);
    fetched.mockRestore();
  });
});
