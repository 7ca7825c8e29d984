import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { freePort } from '../../localstack/embedded/free-port.ts';
import type { StackFile } from '../../localstack/embedded/stack-file.ts';
import { freePortPair } from '../support/stage/free-port-pair.ts';
import { canSeeSockets, isLoopback, listeningSocketsOf } from '../support/stage/listening.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { isRunning, ready, runStage, startStage, type TestStage, until } from '../support/stage/stage.ts';
import { pageOf } from '../support/stage/stage-page.ts';

jest.setTimeout(180_000);

/** The first demo partner's list. */
const list = async (stage: TestStage) => {
  const { get } = await aPartnerProgram(stage, stage.stack.partners[0] as Credentials);
  return (await get('/api/v2/transaction')).list().data;
};

const keysOf = async ({ authUrl }: TestStage) => (await fetch(`${authUrl}/oauth2/jwks`)).text();

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

type Listed = { partner: string; type: string; uuid: string; link?: string; copies: number };

describe('npm start with demo data', () => {
  let stage: TestStage;
  beforeAll(async () => {
    stage = await startStage({ demo: true, args: ['--dormancy-seconds', '2'] });
  }, 240_000);
  afterAll(() => stage.stop());

  const webhooks = async (): Promise<Listed[]> =>
    JSON.parse(await (await fetch(String(stage.stack.receiverUrl))).text()).webhooks;
  const notified = (count: number) =>
    until(() => stage.said().split('  TransactionUpdated  ').length > count);
  let changed = '';

  test('RUN-1 prints its progress, and that it is for development only', () => {
    expect(stage.said()).toMatch(/Starting the DynamoDB engine.*Created the tables.*Loading the demo data/s);
    expect(stage.said()).toMatch(
      /Ready after \d+\.\d s\. It is for development only, and listens on this machine alone\./,
    );
  });

  test('RUN-1 V1-8 the first hourly run is before the demo data, so that no later one looks back to its oldest transaction', () => {
    const swept = readFileSync(join(stage.dataDir, 'stage.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"SWEEP_ENDED"'))
      .map((line) => JSON.parse(line));

    expect(swept).toMatchObject([{ checked: 0, isDone: true }]);
  });

  test('RUN-1 its curl lines work unchanged: a checkout, a sign-in and its checkout, a token, a list, a payment, and a change', () => {
    const [checkout = '', , , signedIn = '', ...asPartner] = copied(stage);
    const [token = '', listed = '', payment = '', change = ''] = asPartner;

    expect(checkout).toMatch(/^HTTP\/1.1 200 OK\r\n.*^authentication-token: \S+\r\n.*"status":0/ms);
    expect(JSON.parse(signedIn)).toMatchObject({ status: 0, uuid: expect.any(String) });
    expect(token.split('.')).toHaveLength(3);
    expect(JSON.parse(listed)).toMatchObject({ data: [{ vehicle: {}, customer: {} }, { vehicle: {} }] });
    expect(JSON.parse(payment)).toMatchObject({ value: '250.00', status: 1, is_selected: 1 });
    expect(JSON.parse(change)).toMatchObject({ status: 0, uuid: expect.any(String) });
    changed = JSON.parse(change).uuid;
  });

  test('RUN-1 RUN-3 the payment is a message at once and another after dormancy, the change a printed line', async () => {
    expect(await notified(2)).toBe(true);
    expect(stage.said()).toMatch(
      new RegExp(
        `\\n\\d\\d:\\d\\d:\\d\\d  northgate-crm  TransactionUpdated    ${changed.slice(0, 8)}…  customer  versions 1 → 2  starts in the middle\\n`,
      ),
    );
    const [first, ...others] = (await webhooks()).toReversed();
    expect(first).toMatchObject({ partner: 'northgate-crm', type: 'TransactionCompleted', copies: 1 });
    expect(others.map(({ type }) => type)).toEqual(['TransactionUpdated', 'TransactionUpdated']);
  });

  test('RUN-2 stack.json has the same facts for programs', () => {
    const file = join(stage.dataDir, 'stack.json');
    const { partners, storefronts, baseUrl, receiverUrl } = JSON.parse(readFileSync(file, 'utf8'));

    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(receiverUrl).toBe(`http://127.0.0.1:${Number(new URL(baseUrl).port) + 1}/webhooks`);
    expect(partners.map(Object.keys)).toEqual(
      Array(2).fill(['name', 'clientId', 'clientSecret', 'webhookSignature', 'grants']),
    );
    expect(storefronts).toHaveLength(2);
  });

  test('RUN-2 only the owner may read what a stage keeps', () => {
    const modes = readdirSync(stage.dataDir).map((name) => {
      const stats = statSync(join(stage.dataDir, name));
      return [name, (stats.mode & (stats.isDirectory() ? 0o077 : 0o177)).toString(8)];
    });

    expect(modes.map(([name]) => name)).toEqual(
      expect.arrayContaining(['stack.json', 'stage.log', 'state.db', 'state.db-wal', 'tables', 'demo.json']),
    );
    expect(modes.filter(([, open]) => open !== '0')).toEqual([]);
  });

  const onLinux = canSeeSockets ? test : test.skip;
  onLinux(
    'RUN-2 S-83 every socket of the stage listens on loopback, and refuses browsers or a foreign host',
    async () => {
      const { baseUrl, receiverUrl = '', operator, processes } = stage.stack;
      const known = [baseUrl, receiverUrl, ...Object.values(operator.endpoints)];
      const refusesHost = async (port: number): Promise<boolean> => {
        const sent = request({ host: '127.0.0.1', port, headers: { host: 'evil.example' } }).end();
        const [response] = await once(sent, 'response');
        response.resume();
        return response.statusCode === 403;
      };

      const engine = listeningSocketsOf(processes.engine ?? 0);
      const sockets = listeningSocketsOf(processes.stage);

      expect(sockets.filter(({ address }) => !isLoopback(address))).toEqual([]);
      expect(sockets.map(({ port }) => String(port))).toEqual(
        expect.arrayContaining(known.map((url) => new URL(url).port)),
      );
      const ofEngine = engine.map(({ port }) => port);
      const others = sockets.map(({ port }) => port).filter((port) => !ofEngine.includes(port));
      expect(await Promise.all(others.map(refusesHost))).toEqual(others.map(() => true));
      expect(ofEngine).toHaveLength(1);
      await expect(fetch(operator.endpoints.dynamodb)).rejects.toMatchObject({
        cause: new Error('bad port'),
      });
    },
  );

  test('RUN-1 RUN-12 a second start, at another port, keeps data, credentials and the moved clock, and does not load the demo again', async () => {
    const before = { list: await list(stage), webhooks: await webhooks() };
    const { partners } = stage.stack;
    await pageOf(stage)({ do: 'clock', seconds: 3_600 });

    stage = await stage.restart({ PORT: String(await freePortPair()) });

    expect(stage.stack.partners).toEqual(partners);
    expect({ list: await list(stage), webhooks: await webhooks() }).toEqual(before);
    expect(stage.stack.clock).toEqual({ aheadMs: 3_600_000 });
    expect(stage.said()).toContain('Its clock is 1 h ahead of this machine');
    expect(stage.said()).not.toMatch(/Loading the demo data|Created the tables/);
  });

  test('RUN-1 its printed lines name open transactions, and events go to the receiver there', async () => {
    const [payment = '', change = ''] = copied(stage).slice(-2);

    expect(JSON.parse(payment)).toMatchObject({ status: 1, is_selected: 1 });
    expect(JSON.parse(change)).toMatchObject({ status: 0 });
    expect(await notified(1)).toBe(true);
    expect((await webhooks())[0]).toMatchObject({ type: 'TransactionUpdated', copies: 1 });
  });

  test('RUN-1 a start after kill -9 keeps them as well', async () => {
    const { partners, processes } = stage.stack;
    await stage.kill();

    stage = await stage.restart();

    expect(isRunning(processes.engine ?? 0)).toBe(false);
    expect(stage.stack.partners).toEqual(partners);
    expect(await list(stage)).not.toEqual([]);
  });

  test('ERR-4 a lost store is a problem for the caller and a printed sentence', async () => {
    const { get } = await aPartnerProgram(stage, stage.stack.partners[0] as Credentials);
    process.kill(stage.stack.processes.engine ?? 0, 'SIGKILL');

    const { status, headers } = await get('/api/v2/transaction');

    expect(status).toBeGreaterThanOrEqual(500);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(stage.said()).toMatch(/v2-read at GET \/api\/v2\/transaction: answered 50\d\./);
  });
});

describe('npm start without demo data', () => {
  test('RUN-2 two stages on different ports and folders do not disturb each other', async () => {
    const [one, other] = await Promise.all([startStage(), startStage()]);

    expect(await keysOf(one)).not.toBe(await keysOf(other));
    await one.stop();

    expect(await isAnswering(one.baseUrl)).toBe(false);
    expect(JSON.parse(await keysOf(other)).keys).toHaveLength(2);
    await other.stop();
  });

  test('RUN-1 RUN-2 a second start reports that the stage runs; a stop leaves no process, no port and no stack.json', async () => {
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
      `Another embedded stage (process ${run.child.pid}) uses ${data}; stop it, or choose another folder: npm start -- --data DIR\n`,
    );
    expect([processes.stage, processes.engine ?? 0].filter(isRunning)).toEqual([]);
    expect(existsSync(join(data, 'stack.json'))).toBe(false);
    expect(await isAnswering(baseUrl)).toBe(false);
    rmSync(data, { recursive: true });
  });

  test('RUN-1 --fresh starts clean', async () => {
    const stage = await startStage();
    const before = await keysOf(stage);
    await stage.kill();

    const PORT = new URL(stage.baseUrl).port;
    const run = runStage(['--no-demo', '--fresh', '--data', stage.dataDir], { PORT });
    await ready(run);

    expect(run.said()).toContain('Created the tables');
    expect(await keysOf(stage)).not.toBe(before);
    run.child.kill('SIGINT');
    await run.ended;
    rmSync(stage.dataDir, { recursive: true });
  });
});

describe('npm start that cannot start says why in one sentence', () => {
  let data: string;
  let other: Server | undefined;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'stage-'));
  });
  afterEach(() => {
    other?.close();
    rmSync(data, { recursive: true });
  });

  const refusal = async (args: string[], environment: Record<string, string>) => {
    const run = runStage(['--data', data, ...args], environment);
    expect(await run.ended).toBe(1);
    return run.said();
  };

  test.each([
    [0, ''],
    [1, ', for the webhook receiver,'],
  ])('the port + %d%s is taken', async (behind, what) => {
    const port = await freePortPair();
    other = createServer();
    await once(other.listen(port + behind, '127.0.0.1'), 'listening');

    expect(await refusal([], { PORT: `${port}` })).toBe(
      `Port ${port + behind}${what} is taken by another program; choose another: PORT=${port + 2} npm start\n`,
    );
  });

  test('the engine of DYNAMODB_ENDPOINT does not answer', async () => {
    // Port 1 is given to nobody, so that no stage of another test file can answer there.
    const [PORT, absent] = [String(await freePort()), 'http://127.0.0.1:1'];

    const said = await refusal(['--no-demo', '--fresh'], { PORT, DYNAMODB_ENDPOINT: absent });

    expect(said.split('\n').at(-2)).toMatch(
      new RegExp(
        `^The DynamoDB engine at ${absent} does not answer: .*ECONNREFUSED.* Start it, or unset DYNAMODB_ENDPOINT\\.$`,
      ),
    );
  });
});
