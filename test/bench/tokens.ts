import { join } from 'node:path';
import autocannon, { type Request } from 'autocannon';
import { Command } from 'commander';
import { createPartnerStore } from '../../bin/operator/store/partners/store.ts';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { basic, grantBody } from '../support/apis/token-service.ts';
import { aPartner, aSecret } from '../support/builders/a-partner.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { root } from '../support/repository.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { judged, print } from './print.ts';

const seconds = 8;
const goalOfShare = 0.95;
/** Each may be tried twenty times a minute before it has to wait (O-55). */
const guessedPartners = 1_000;
const rounds = 3;

type Client = (count: number) => string;

/** Answers a second to requests for tokens, each with the `Authorization` of its turn. */
const rateOf = async ({ authUrl }: TestStage, client: Client, wanted: '200' | '401'): Promise<number> => {
  let count = 0;
  const setupRequest = (request: Request): Request => {
    const authorization = client(count);
    count += 1;
    return { ...request, headers: { ...request.headers, authorization } };
  };
  const result = await autocannon({
    url: `${authUrl}/oauth2/token`,
    ...{ connections: 10, duration: seconds, method: 'POST', body: grantBody },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    requests: [{ setupRequest }],
  });
  const others = Object.keys(result.statusCodeStats ?? {}).filter((status) => status !== wanted);
  if (others.length > 0 || result.errors > 0)
    throw new Error(`Answers: ${JSON.stringify(result.statusCodeStats)}`);
  return (result['2xx'] + result['4xx']) / result.duration;
};

const aRightClient = async ({ dataDir }: TestStage): Promise<Client> => {
  const operate = createOperatorTool(root, join(dataDir, 'stack.json'), 'ignore');
  const created = await operate('partner', 'create', '--name', 'right', '--grant', 'group=G');
  if (!created.ok) throw new Error(created.reason);
  const { clientId, clientSecret } = created.value as Credentials;
  return () => basic(clientId, clientSecret);
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
  const sums = { right: 0, wrong: 0 };
  for (let round = 0; round < rounds; round += 1) {
    sums.right += await rateOf(stage, right, '200');
    sums.wrong += await rateOf(stage, wrong, '401');
  }
  const share = sums.wrong / sums.right;
  const goal = judged(share >= goalOfShare, `≥ ${goalOfShare * 100} %`);
  print(
    ['secrets', 'answers/s', 'share', 'goal'],
    [
      ['right', (sums.right / rounds).toFixed(0), '', ''],
      ['wrong', (sums.wrong / rounds).toFixed(0), `${(share * 100).toFixed(0)} %`, goal],
    ],
  );
};

new Command('bench -- tokens')
  .description(
    'Prints how many answers a second an embedded stage gives to right and to wrong secrets (TH-14). The goal stands beside.',
  )
  .parse();

const stage = await startStage();
try {
  const right = await aRightClient(stage);
  await rateOf(stage, right, '200');
  await addGuessedPartners(stage);
  await printGuesses(stage, right);
} finally {
  await stage.stop();
}
