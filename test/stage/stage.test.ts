import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configOf } from '../../lib/config.ts';
import { freePort } from '../../localstack/free-port.ts';
import type { StackFile } from '../../localstack/stack-file.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { freePortPair } from '../support/stage/free-port-pair.ts';
import { canSeeSockets, isLoopback, listeningSocketsOf } from '../support/stage/listening.ts';
import { isRunning, ready, runStage, startStage, type TestStage, until } from '../support/stage/stage.ts';

jest.setTimeout(180_000);

const tokenFor = async ({ authUrl, partners }: StackFile): Promise<string> => {
  const [partner] = partners;
  const answer = await fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${partner?.clientId}:${partner?.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return JSON.parse(await answer.text()).access_token;
};

const list = async (stack: StackFile): Promise<Response> =>
  fetch(`${stack.baseUrl}/api/v2/transaction`, {
    headers: { Authorization: `Bearer ${await tokenFor(stack)}` },
  });

const day = 24 * 60 * 60 * 1000;

/** The store is given a time 30 days later. */
const makeOlder = async ({ operator }: StackFile, uuid: string, ms: number) => {
  const documents = documentsOf(clientOf(operator.endpoints.dynamodb));
  await documents.send(
    new UpdateCommand({
      TableName: operator.variables.TRANSACTIONS_TABLE,
      Key: { uuid },
      ConditionExpression: 'attribute_exists(createdAtMs)',
      UpdateExpression: 'SET createdAtMs = createdAtMs - :ms',
      ExpressionAttributeValues: { ':ms': ms },
    }),
  );
  documents.destroy();
};

/** What each sweep of the stage logged at its end. */
const sweepsIn = ({ dataDir }: TestStage): { removed: number; isDone: boolean }[] => {
  const log = join(dataDir, 'logs', 'sweep-expired.log');
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.filter((line) => line.includes('"SWEEP_ENDED"')).map((line) => JSON.parse(line));
};

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** What each line to copy answers, one after the other in one shell. */
const copied = (stage: TestStage): string[] => {
  const lines = stage
    .said()
    .split('\n')
    .filter((line) => /^ {2}([A-Z_]+=|curl )/.test(line));
  const script = lines.map((line) => `${line}\nprintf '\\n--\\n'`).join('\n');
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.split('\n--\n').slice(0, -1);
};

describe('npm start with demo data', () => {
  let stage: TestStage;
  beforeAll(async () => {
    stage = await startStage({ demo: true });
  });
  afterAll(() => stage.stop());

  test('says what it does while it does it, and that it is for development only (RUN-1)', () => {
    expect(stage.said()).toMatch(/Starting the DynamoDB engine.*Created the tables.*Loading the demo data/s);
    expect(stage.said()).toContain('This is a stand-in for AWS, for development only');
  });

  test('prints addresses, every demo credential and where the logs are (RUN-1)', () => {
    const { partners, baseUrl, authUrl } = stage.stack;
    const facts = partners.flatMap(({ name, clientId, clientSecret }) => [name, clientId, clientSecret]);

    expect(partners).toHaveLength(2);
    for (const fact of [
      ...facts,
      `${baseUrl}/api/v2/transaction`,
      `${authUrl}/oauth2/token`,
      join(stage.dataDir, 'logs'),
    ]) {
      expect(stage.said()).toContain(fact);
    }
  });

  test('V1-8 the sweep runs when all is up: what nobody touched for 30 days is gone, what is younger stays', async () => {
    const {
      origins: [origin = ''],
    } = stage.stack.storefronts[0] as { origins: string[] };
    const [old, young] = [aBrowserOn(stage, origin), aBrowserOn(stage, origin)];
    const { uuid } = (await old.send('/api/transaction')).body;
    const kept = (await young.send('/api/transaction')).body;
    await makeOlder(stage.stack, uuid, 30 * day + 60_000);

    stage = await stage.restart();

    const isSwept = () => sweepsIn(stage).some(({ removed }) => removed > 0);
    expect(await until(isSwept)).toBe(true);
    expect(sweepsIn(stage).at(-1)).toMatchObject({ removed: 1, isDone: true });
    expect((await young.send(`/api/transaction/${kept.uuid}`)).status).toBe(200);
    expect((await old.send(`/api/transaction/${uuid}`)).status).toBe(404);
  });

  test('its curl lines work as they are: a checkout, a sign-in and its checkout, a token, a list by it, a payment, and a change (RUN-1)', () => {
    const [checkout = '', , , signedIn = '', ...asPartner] = copied(stage);
    const [token = '', list = '', payment = '', change = ''] = asPartner;

    expect(checkout).toMatch(/^HTTP\/1.1 200 OK\r\n.*^authentication-token: \S+\r\n.*"status":0/ms);
    expect(JSON.parse(signedIn)).toMatchObject({ status: 0, uuid: expect.any(String) });
    expect(token.split('.')).toHaveLength(3);
    expect(JSON.parse(list)).toMatchObject({ data: [{ vehicle: {}, customer: {} }, { vehicle: {} }] });
    expect(JSON.parse(payment)).toMatchObject({ value: '250.00', status: 1, is_selected: 1 });
    expect(JSON.parse(change)).toMatchObject({ status: 0, uuid: expect.any(String) });
  });

  test('stack.json has the same facts for programs, and only its owner may read it (RUN-2)', () => {
    const file = join(stage.dataDir, 'stack.json');
    const { partners, storefronts, baseUrl, receiverUrl } = JSON.parse(readFileSync(file, 'utf8'));

    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(receiverUrl).toBe(`http://127.0.0.1:${Number(new URL(baseUrl).port) + 1}/webhooks`);
    expect(partners.map(Object.keys)).toEqual(
      Array(2).fill(['name', 'clientId', 'clientSecret', 'webhookSignature', 'grants']),
    );
    expect(storefronts).toHaveLength(2);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('hrefs name the port that PORT chose (RUN-2, LINK-2)', async () => {
    const { _links } = JSON.parse(await (await list(stage.stack)).text());

    expect(_links.self.href).toMatch(new RegExp(`^${stage.baseUrl}/v2/transaction\\?`));
  });

  const onLinux = canSeeSockets ? test : test.skip;
  onLinux('RUN-2 every socket of the stage’s processes listens on loopback', async () => {
    const { baseUrl, receiverUrl = '', operator, processes } = stage.stack;
    const known = [baseUrl, receiverUrl, ...Object.values(operator.endpoints)].map(
      (url) => new URL(url).port,
    );

    const sockets = listeningSocketsOf(processes.stage);

    expect(sockets.filter(({ address }) => !isLoopback(address))).toEqual([]);
    expect(sockets.map(({ port }) => String(port))).toEqual(expect.arrayContaining(known));
  });

  test('ERR-5 the gateway answers an unknown route, an oversize body and an oversize query as problems', async () => {
    const long = await fetch(`${stage.baseUrl}/api/v2/transaction?x=${'x'.repeat(20_000)}`);
    const unknown = await fetch(`${stage.baseUrl}/api/nope`);
    const oversize = await fetch(`${stage.baseUrl}/api/v2/transaction`, {
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    });

    expect([unknown.status, oversize.status, long.status]).toEqual([404, 413, 431]);
    for (const answer of [unknown, oversize, long]) {
      const { requestId, status, instance } = JSON.parse(await answer.text());
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('request-id')).toBe(requestId);
      expect(instance).toBe(`urn:uuid:${requestId}`);
      expect(status).toBe(answer.status);
    }
  });

  test('ERR-6 the gateway answers an oversize query to the token service in its words', async () => {
    const answer = await fetch(`${stage.authUrl}/oauth2/token?x=${'x'.repeat(20_000)}`);

    expect(answer.status).toBe(431);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(await answer.text())).toEqual({
      error: 'invalid_request',
      error_description: 'The address and the headers are larger than 10,240 bytes together.',
    });
  });

  test('a second start keeps data and credentials and does not load the demo again (RUN-1)', async () => {
    const before = JSON.parse(await (await list(stage.stack)).text());
    const { partners } = stage.stack;

    stage = await stage.restart();

    expect(stage.stack.partners).toEqual(partners);
    expect(JSON.parse(await (await list(stage.stack)).text())).toEqual(before);
    expect(stage.said()).not.toContain('Loading the demo data');
    expect(stage.said()).not.toContain('Created the tables');
  });

  test('RUN-1 its lines of a second start name transactions that are open: the payment completes another one', () => {
    const [payment = '', change = ''] = copied(stage).slice(-2);

    expect(JSON.parse(payment)).toMatchObject({ status: 1, is_selected: 1 });
    expect(JSON.parse(change)).toMatchObject({ status: 0 });
  });

  test('a start after kill -9 keeps them too', async () => {
    const { partners, processes } = stage.stack;
    await stage.kill();

    stage = await stage.restart();

    expect(isRunning(processes.engine ?? 0)).toBe(false);
    expect(stage.stack.partners).toEqual(partners);
    expect((await list(stage.stack)).status).toBe(200);
  });

  test('a store that is gone is a problem for the caller and a sentence at the console', async () => {
    const token = await tokenFor(stage.stack);
    process.kill(stage.stack.processes.engine ?? 0, 'SIGKILL');

    const answer = await fetch(`${stage.baseUrl}/api/v2/transaction`, {
      headers: { Authorization: `Bearer ${token}` },
    });

    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(stage.said()).toMatch(
      /v2-read at GET \/api\/v2\/transaction: answered 50\d\. The cause is in .*v2-read\.log/,
    );
    expect(stage.said()).not.toMatch(/\n\s+at /);
    stage = await stage.restart();
  });
});

describe('npm start without demo data', () => {
  test('two stages on different ports and folders do not disturb each other', async () => {
    const [one, other] = await Promise.all([startStage(), startStage()]);
    const keysOf = async ({ authUrl }: TestStage) => (await fetch(`${authUrl}/oauth2/jwks`)).text();

    expect(await keysOf(one)).not.toBe(await keysOf(other));
    expect(one.stack.operator.endpoints.dynamodb).not.toBe(other.stack.operator.endpoints.dynamodb);
    await one.stop();

    expect(await isAnswering(one.baseUrl)).toBe(false);
    expect(JSON.parse(await keysOf(other)).keys).toHaveLength(2);
    await other.stop();
  });

  test('a second start of it says that it runs; stopping leaves no process, no port and no stack.json (RUN-1, RUN-2)', async () => {
    const data = mkdtempSync(join(tmpdir(), 'stage-'));
    const PORT = String(await freePort());
    const run = runStage(['--no-demo', '--data', data], { PORT });
    await ready(run);
    const second = runStage(['--no-demo', '--data', data], { PORT });
    await second.ended;
    const { processes, baseUrl }: StackFile = JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8'));

    run.child.kill('SIGTERM');

    expect(await run.ended).toBe(0);
    expect(second.said()).toBe(
      `Another local stage (process ${run.child.pid}) uses ${data}; stop it, or choose another folder: npm start -- --data DIR\n`,
    );
    expect([processes.stage, processes.engine ?? 0].filter(isRunning)).toEqual([]);
    expect(existsSync(join(data, 'stack.json'))).toBe(false);
    expect(await isAnswering(baseUrl)).toBe(false);
    rmSync(data, { recursive: true });
  });

  test('--fresh starts clean (RUN-1)', async () => {
    const stage = await startStage();
    const keysOf = async () => (await fetch(`${stage.authUrl}/oauth2/jwks`)).text();
    const before = await keysOf();
    await stage.kill();

    const run = runStage(['--no-demo', '--fresh', '--data', stage.dataDir], {
      PORT: new URL(stage.baseUrl).port,
    });
    await ready(run);

    expect(run.said()).toContain('Created the tables');
    expect(await keysOf()).not.toBe(before);
    run.child.kill('SIGINT');
    await run.ended;
    rmSync(stage.dataDir, { recursive: true });
  });
});

describe('npm start that cannot start says why in one sentence', () => {
  let data: string;
  const others: Server[] = [];
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'stage-'));
  });
  afterEach(() => {
    for (const other of others.splice(0)) other.close();
    rmSync(data, { recursive: true });
  });

  const otherProgramOn = async (port: number) => {
    const other = createServer();
    others.push(other);
    await once(other.listen(port, '127.0.0.1'), 'listening');
    return (other.address() as AddressInfo).port;
  };

  const refusal = async (args: string[], environment: Record<string, string>) => {
    const run = runStage(['--data', data, ...args], environment);
    expect(await run.ended).toBe(1);
    return run.said();
  };

  test('the port is taken', async () => {
    const port = await otherProgramOn(0);

    expect(await refusal([], { PORT: `${port}` })).toBe(
      `Port ${port} is taken by another program; choose another: PORT=${port > 65000 ? 9000 : port + 2} npm start\n`,
    );
  });

  test('the port behind it, which the webhook receiver would have, is taken', async () => {
    const port = await freePortPair();
    await otherProgramOn(port + 1);

    expect(await refusal([], { PORT: `${port}` })).toBe(
      `Port ${port + 1}, for the webhook receiver, is taken by another program; choose another: PORT=${port > 65000 ? 9000 : port + 2} npm start\n`,
    );
  });

  test('the dormancy can be made shorter, and no longer (RUN-3)', async () => {
    const { dormancySeconds } = configOf('local').eventTimes;

    expect(await refusal(['--dormancy-seconds', `${dormancySeconds + 1}`], {})).toBe(
      `--dormancy-seconds is "${dormancySeconds + 1}" and must be a whole number from 1 to ${dormancySeconds}.\n`,
    );
  });

  test('the data is of another version', async () => {
    writeFileSync(join(data, 'data-version.json'), JSON.stringify({ dataVersion: 0, tables: {} }));

    const said = await refusal(['--no-demo'], { PORT: String(await freePort()) });

    expect(said.split('\n').at(-2)).toBe(
      `The data in ${data} was written by another version of the service; start once with a clean slate: npm start -- --fresh`,
    );
    expect(existsSync(join(data, 'stack.json'))).toBe(false);
  });

  test('the engine of DYNAMODB_ENDPOINT does not answer', async () => {
    // Nothing listens at port 1, so no stage of another test file can answer there.
    const [PORT, absent] = [String(await freePort()), 'http://127.0.0.1:1'];

    const said = await refusal(['--no-demo', '--fresh'], { PORT, DYNAMODB_ENDPOINT: absent });

    expect(said.split('\n').at(-2)).toMatch(
      new RegExp(`^The DynamoDB engine at ${absent} does not answer: .*ECONNREFUSED.*\\.$`),
    );
  });

  test('an option is unknown', async () => {
    expect(await refusal(['--nope'], {})).toBe(
      "Unknown option '--nope'; npm start -- --help lists the options.\n",
    );
  });
});
