import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon, { type Request, type Result } from 'autocannon';
import Table from 'cli-table3';
import { Command } from 'commander';
import { createPartnerStore } from '../../bin/operator/store/partners/store.ts';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { basic, grantBody } from '../support/apis/token-service.ts';
import { aPartner, aSecret } from '../support/builders/a-partner.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { root } from '../support/repository.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

const seconds = 8;
const goals = { connections: 10, perSecond: 300, p99Ms: 100, share: 0.95 };
/** Each may be tried twenty times a minute before it has to wait (O-55). */
const guessedPartners = 1_000;
const rounds = 3;
const plain = { head: [], border: [] };

/** Tokens by HTTP from an embedded stage that has nothing else to do, and wrong secrets beside right ones (TH-14). */
const bench = async (stage: TestStage) => {
  const right = await aRightClient(stage);
  await load(stage, { connections: 10, seconds: 3, client: right });
  await printTokens(stage, right);
  await addGuessedPartners(stage);
  await printGuesses(stage, right);
};

type Client = (count: number) => string;
type Load = { connections: number; seconds: number; client: Client };
/** What came back, and the processor time of an answer, which other work on the machine does not change. */
type Loaded = { result: Result; cpuMs: { stage: number; engine: number } };

/** Requests for tokens, each with the `Authorization` of its turn. */
const load = async (stage: TestStage, { connections, seconds: duration, client }: Load): Promise<Loaded> => {
  let count = 0;
  const setupRequest = (request: Request): Request => {
    const authorization = client(count);
    count += 1;
    return { ...request, headers: { ...request.headers, authorization } };
  };
  const { processes } = stage.stack;
  const before = [cpuMsOf(processes.stage), cpuMsOf(processes.engine)];
  const result = await autocannon({
    url: `${stage.authUrl}/oauth2/token`,
    ...{ connections, duration },
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: grantBody,
    requests: [{ setupRequest }],
  });
  const [ofStage = 0, ofEngine = 0] = [processes.stage, processes.engine].map(
    (pid, index) => (cpuMsOf(pid) - (before[index] ?? 0)) / (result['2xx'] + result['4xx']),
  );
  return { result, cpuMs: { stage: ofStage, engine: ofEngine } };
};

/** Linux counts in hundredths of a second; elsewhere nothing is known. */
const cpuMsOf = (pid: number | undefined): number => {
  if (process.platform !== 'linux' || pid === undefined) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

const aRightClient = async ({ dataDir }: TestStage): Promise<Client> => {
  const operate = createOperatorTool(root, join(dataDir, 'stack.json'), 'ignore');
  const created = await operate('partner', 'create', '--name', 'right', '--grant', 'group=G');
  if (!created.ok) throw new Error(created.reason);
  const { clientId, clientSecret } = created.value as Credentials;
  return () => basic(clientId, clientSecret);
};

const printTokens = async (stage: TestStage, client: Client) => {
  const table = new Table({
    style: plain,
    head: ['connections', 'tokens/s', 'p50 ms', 'p99 ms', 'CPU ms', 'of the engine', 'goal'],
  });
  for (const connections of [1, 10, 100]) {
    const { result, cpuMs } = await load(stage, { connections, seconds, client });
    refuseOthers(result, '200');
    const { latency } = result;
    const perSecond = result['2xx'] / result.duration;
    const isReached = perSecond >= goals.perSecond && latency.p99 < goals.p99Ms;
    const goal = `≥ ${goals.perSecond}, < ${goals.p99Ms} ms: ${isReached ? 'reached' : 'missed'}`;
    table.push([
      ...[connections, perSecond.toFixed(0), latency.p50.toFixed(0), latency.p99.toFixed(0)],
      ...[cpuMs.stage.toFixed(1), cpuMs.engine.toFixed(1)],
      connections === goals.connections ? goal : '',
    ]);
  }
  console.log(table.toString());
};

const refuseOthers = ({ statusCodeStats = {}, errors }: Result, wanted: string) => {
  const others = Object.keys(statusCodeStats).filter((status) => status !== wanted);
  if (others.length > 0 || errors > 0) throw new Error(`Answers: ${JSON.stringify(statusCodeStats)}`);
};

const clientIdOf = (number: number) => `Guessed${String(number).padStart(19, '0')}`;

const addGuessedPartners = async ({ stack }: TestStage) => {
  const { endpoints, variables } = stack.operator;
  const partnersTable = variables.PARTNERS_TABLE ?? '';
  const store = createPartnerStore({ documents: documentsOf(clientOf(endpoints.dynamodb)), partnersTable });
  for (let number = 0; number < guessedPartners; number += 1) {
    const partner = aPartner({ clientId: clientIdOf(number), name: `guessed ${number}` });
    await store.create({ partner, secrets: [aSecret()] }, 'signature');
  }
};

/** Right and wrong in turn, so that other work on the machine meets both alike. */
const printGuesses = async (stage: TestStage, right: Client) => {
  let guesses = 0;
  const wrong: Client = () => {
    guesses += 1;
    return basic(clientIdOf(guesses % guessedPartners), 'x'.repeat(64));
  };
  const seen = { right: [] as Loaded[], wrong: [] as Loaded[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [which, client, status] of [
      ['right', right, '200'],
      ['wrong', wrong, '401'],
    ] as const) {
      const loaded = await load(stage, { connections: goals.connections, seconds, client });
      refuseOthers(loaded.result, status);
      seen[which].push(loaded);
    }
  }
  printShares(seen);
};

const printShares = (seen: Record<'right' | 'wrong', Loaded[]>) => {
  const mean = (which: 'right' | 'wrong', figure: (loaded: Loaded) => number) =>
    seen[which].reduce((sum, loaded) => sum + figure(loaded), 0) / rounds;
  const rate = ({ result }: Loaded) => (result['2xx'] + result['4xx']) / result.duration;
  const share = mean('wrong', rate) / mean('right', rate);
  const goal = `≥ ${goals.share * 100} %: ${share >= goals.share ? 'reached' : 'missed'}`;
  const table = new Table({
    style: plain,
    head: ['secrets', 'answers/s', 'CPU ms', 'of the engine', 'share', 'goal'],
  });
  for (const which of ['right', 'wrong'] as const)
    table.push([
      ...[which, mean(which, rate).toFixed(0)],
      ...[
        mean(which, ({ cpuMs }) => cpuMs.stage).toFixed(1),
        mean(which, ({ cpuMs }) => cpuMs.engine).toFixed(1),
      ],
      ...(which === 'right' ? ['', ''] : [`${(share * 100).toFixed(0)} %`, goal]),
    ]);
  console.log(table.toString());
};

new Command('bench -- tokens')
  .description(
    'Prints how many tokens a second an embedded stage issues, and how many it refuses beside them (TH-14). Goals stand beside.',
  )
  .parse();

const stage = await startStage();
try {
  await bench(stage);
} finally {
  await stage.stop();
}
