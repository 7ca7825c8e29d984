import type { Grant } from '../../functions/shared/domain/ownership/grant.ts';
import { idTokenType, tokenExchangeGrant } from '../../functions/v1-transaction/token-exchange.ts';
import { spanText as restText } from '../../lib/span-text.ts';
import { createClient, isTransactionsError } from '../../partner-kit/src/index.ts';
import { shortSpan } from './clock.ts';
import { demoUsers } from './demo/identity-provider.ts';
import type { DataFolder } from './folder.ts';
import type { DemoPartner, StackFile } from './stack-file.ts';

/** What the service says of a demo partner now: kept data may have changed since it was made. */
export type Trial = {
  partner: DemoPartner;
  grants: Grant[];
  /** Unpaid transactions that the partner sees, two at most. */
  open: string[];
  webhookUrl: string | null;
};

type Stage = Pick<StackFile, 'baseUrl' | 'authUrl' | 'partners'>;

/** A trial for each demo partner whose secret the service takes and that may read. */
export const findTrials = async (stage: Stage): Promise<Trial[]> => {
  const trials = await Promise.all(stage.partners.map((partner) => trialOf(partner, stage)));
  return trials.filter((trial) => trial !== undefined);
};

const trialOf = async (partner: DemoPartner, { baseUrl, authUrl }: Stage): Promise<Trial | undefined> => {
  const { clientId, clientSecret } = partner;
  const client = createClient({ baseUrl, authUrl, clientId, clientSecret, attempts: 1 });
  try {
    const { data } = await client.transactions.list({ filter: { status: 0 }, perPage: 2, fields: ['uuid'] });
    const webhook = await client.webhook.retrieve();
    const grants = (await client.partner.retrieve()).data.grants.map(
      ({ branches: _named, branchCount: _count, ...grant }) => grant,
    );
    return { partner, grants, open: data.map(({ uuid }) => uuid), webhookUrl: webhook.data.url };
  } catch (fault) {
    if (isTransactionsError(fault)) return undefined;
    throw fault;
  }
};

export type Announced = {
  stack: StackFile;
  folder: Pick<DataFolder, 'log' | 'stack'>;
  trials: readonly Trial[];
  /** The signature that the bus sends to an address; undefined while it sends none. */
  signatureSentTo: (url: string) => string | undefined;
  /** The signatures that the demo receiver accepts for a partner. */
  signaturesOf: (partner: string) => readonly string[];
  /** From the command to this text. */
  seconds: number;
};

/** The text printed when the stage is ready (RUN-1): addresses, demo credentials, `curl` lines. */
export const announcement = (announced: Announced): string => {
  const { stack, folder, trials, seconds } = announced;
  return [
    '',
    `Ready after ${seconds.toFixed(1)} s. It is for development only, and listens on this machine alone.`,
    ...clockLines(stack),
    '',
    'Open in a browser:',
    `  Stage          ${stack.baseUrl}/`,
    `  Documents      ${stack.baseUrl}/docs`,
    ...(stack.receiverUrl ? [`  Webhooks       ${stack.receiverUrl} (the latest)`] : []),
    '',
    'For programs:',
    `  Transactions   ${stack.baseUrl}/api/v2/transaction`,
    `  Checkout (V1)  ${stack.baseUrl}/api/transaction`,
    `  Tokens         ${stack.authUrl}/oauth2/token`,
    `  Log            ${folder.log}`,
    `  Stage file     ${folder.stack}`,
    ...stack.partners.flatMap((partner) => partnerLines(partner, announced)),
    ...(stack.receiverUrl ? tryLines(stack, trials[0]) : ownLines),
    '',
    'Ctrl-C stops all of it; the data stays for the next start.',
  ].join('\n');
};

const clockLines = ({ clock: { aheadMs } }: StackFile): string[] =>
  aheadMs === 0
    ? []
    : [
        `Its clock is ${shortSpan(aheadMs)} ahead of this machine, as it was moved on the stage's page: npm start -- --fresh resets it and deletes the data.`,
      ];

const ownLines = [
  '',
  'No demo data was loaded. Create a storefront and a partner:',
  '  npm run operator -- storefront create --help',
  '  npm run operator -- partner create --help',
];

const partnerLines = (
  { name, clientId, clientSecret, webhookSignature }: DemoPartner,
  { stack, trials, signatureSentTo, signaturesOf }: Announced,
): string[] => {
  const trial = trials.find(({ partner }) => partner.name === name);
  if (!trial)
    return [
      '',
      `Demo partner ${name}: the service refuses its first secret, or it may read nothing any more.`,
      `  For a new secret: npm run operator -- partner rotate-secret ${name}`,
    ];
  const here = `${stack.receiverUrl}/${name}`;
  // A rotation has changed the first one.
  const signature = signatureSentTo(trial.webhookUrl ?? '') ?? webhookSignature;
  const isHere = trial.webhookUrl === here;
  return [
    '',
    `Demo partner ${name}: sees ${trial.grants.map(grantText).join('; ') || 'nothing'}`,
    `  client id      ${clientId}`,
    `  client secret  ${clientSecret}`,
    `  signature      ${signature}`,
    `  webhooks to    ${isHere ? here : `${trial.webhookUrl ?? 'nowhere'}, not to the demo receiver. To have them here again:`}`,
    ...(signaturesOf(name).includes(signature) ? [] : [acceptLine(signature, here, isHere)]),
    ...(isHere ? [] : [`                 npm run operator -- partner set-webhook ${name} --url ${here}`]),
  ];
};

/** The demo receiver does not learn of a rotation by itself, as a partner's does not. */
const acceptLine = (signature: string, here: string, isHere: boolean): string =>
  `                 ${isHere ? 'The demo receiver refuses this signature until it is told: ' : ''}curl -X PUT -d signature=${signature} ${here}`;

const grantText = (grant: Grant): string =>
  Object.entries(grant)
    .map(([dimension, value]) => `${dimension} ${value.length > 12 ? `${value.slice(0, 8)}…` : value}`)
    .join(', ');

/** Ends an answer with a line break, so that the prompt stands on a line of its own. */
const curl = "curl -s -w '\\n'";

const tryLines = (stack: StackFile, trial: Trial | undefined): string[] => [
  '',
  'As a checkout page: each call starts a checkout, and the header authentication-token has its session.',
  `  ${curl} -i -H 'Origin: ${originOf(stack)}' ${stack.baseUrl}/api/transaction`,
  ...signInLines(stack),
  '',
  ...(trial
    ? partnerTrial(stack, trial)
    : ['No demo partner may read any more: npm start -- --fresh creates them again.']),
  '',
  `Webhooks arrive at the demo receiver, ${stack.receiverUrl}; each prints a line here.`,
  ...(trial && trial.open.length > 0 ? changeTrial(stack, trial) : []),
  '  npm run operator -- events list                events to partners, and their state',
  ...(restSecondsOf(stack) < 60
    ? []
    : ['  npm start -- --dormancy-seconds 5              events after seconds']),
];

const originOf = ({ storefronts }: StackFile): string | undefined =>
  (storefronts.flatMap(({ origins }) => origins) as string[])[0];

/** Lines that sign a demo user in at the identity provider on the receiver's port. */
const signInLines = ({ baseUrl, storefronts }: StackFile): string[] => {
  const shop = storefronts.find(({ identityProvider }) => identityProvider) as SigningIn | undefined;
  if (!shop) return [];
  const { issuer } = shop.identityProvider;
  const asShop = `-H 'Origin: ${shop.origins[0]}'`;
  const form = `-d grant_type=${tokenExchangeGrant} -d subject_token_type=${idTokenType} -d subject_token=$ID_TOKEN`;
  return [
    '',
    `As a signed-in user (${demoUsers.join(' or ')}): after each sign-in, on any device, the same checkout.`,
    `  ID_TOKEN=$(curl -s -d username=${demoUsers[0]} ${issuer}/token | ${memberOf('id_token')})`,
    `  SESSION=$(curl -s ${asShop} ${form} ${baseUrl}/api/session | ${memberOf('access_token')})`,
    `  ${curl} ${asShop} -H "Authorization: Bearer $SESSION" ${baseUrl}/api/transaction`,
  ];
};

const memberOf = (name: string) => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;

type SigningIn = { origins: string[]; identityProvider: { issuer: string } };

const withToken = '-H "Authorization: Bearer $TOKEN"';
const asJson = "-H 'Content-Type: application/json'";

const partnerTrial = ({ authUrl, baseUrl }: StackFile, { partner, open: [payable] }: Trial) => {
  const { name, clientId, clientSecret } = partner;
  const payment = { transaction: payable, type: 1, value: '250.00', status: 1 };
  return [
    `As the partner ${name}:`,
    `  TOKEN=$(curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${authUrl}/oauth2/token | ${memberOf('access_token')}); echo "$TOKEN"`,
    `  ${curl} ${withToken} '${baseUrl}/api/v2/transaction?expand=customer,vehicle&per-page=2'`,
    payable === undefined
      ? 'None of its transactions is open: start a checkout, and the next start shows how to pay it.'
      : `  ${curl} ${withToken} ${asJson} -d '${JSON.stringify(payment)}' ${baseUrl}/api/v2/payment`,
  ];
};

/** The number ends in the present second, so that a repeated line makes a change again. */
const change = `'{"customer":{"mobile":"07700 9000'$(date +%S)'"}}'`;

const changeTrial = (stack: StackFile, { open: [payable, changeable = payable] }: Trial) => [
  `Change a transaction: TransactionUpdated follows ${restText(restSecondsOf(stack))} after its last change:`,
  `  ${curl} ${withToken} ${asJson} -X PATCH -d ${change} ${stack.baseUrl}/api/v2/transaction/${changeable}`,
  'The payment above completes its transaction: TransactionCompleted follows at once, TransactionUpdated after dormancy.',
];

const restSecondsOf = ({ operator }: StackFile) => Number(operator.variables.DORMANCY_SECONDS);
