import type { Grant } from '../functions/shared/domain/ownership/grant.ts';
import { idTokenType, tokenExchangeGrant } from '../functions/v1-transaction/token-exchange.ts';
import { spanText as restText } from '../lib/span-text.ts';
import { spanText } from './console/page/time.ts';
import { demoUsers } from './demo/identity-provider.ts';
import type { Trial } from './demo/trial.ts';
import type { DemoPartner } from './stack-file.ts';
import type { LocalStage } from './stage.ts';

export type Announced = {
  stage: Pick<LocalStage, 'stack' | 'folder'>;
  trials: readonly Trial[];
  /** The duration of the start. */
  seconds: number;
};

/** The text printed when the stage is ready (RUN-1): addresses, demo credentials, `curl` lines, folder of logs. */
export const announcement = ({ stage: { stack, folder }, trials, seconds }: Announced): string =>
  [
    '',
    `Ready after ${seconds.toFixed(1)} s. It emulates AWS for development only, and listens on this machine alone.`,
    ...clockLines(stack),
    '',
    'Open in a browser:',
    `  Console        ${stack.baseUrl}/`,
    `  Documents      ${stack.baseUrl}/docs`,
    ...(stack.receiverUrl ? [`  Webhooks       ${stack.receiverUrl} (the latest)`] : []),
    '',
    'For programs:',
    `  Transactions   ${stack.baseUrl}/api/v2/transaction`,
    `  Checkout (V1)  ${stack.baseUrl}/api/transaction`,
    `  Tokens         ${stack.authUrl}/oauth2/token`,
    `  Logs           ${folder.logs}, one file a function`,
    `  Stage file     ${folder.stack}`,
    ...stack.partners.flatMap((partner) => partnerLines(partner, stack, trials)),
    ...(stack.receiverUrl ? tryLines(stack, trials[0]) : ownLines),
    '',
    'Ctrl-C stops all of it; the data stays for the next start.',
  ].join('\n');

const clockLines = ({ clock: { aheadMs } }: LocalStage['stack']): string[] =>
  aheadMs === 0
    ? []
    : [
        `Its clock is ${spanText(aheadMs)} ahead of this machine, as it was moved in the console: npm start -- --fresh resets it and deletes the data.`,
      ];

const ownLines = [
  '',
  'No demo data was loaded. Create a storefront and a partner:',
  '  npm run operator -- storefront create --help',
  '  npm run operator -- partner create --help',
];

const partnerLines = (
  { name, clientId, clientSecret, webhookSignature }: DemoPartner,
  { receiverUrl }: LocalStage['stack'],
  trials: readonly Trial[],
): string[] => {
  const trial = trials.find(({ partner }) => partner.name === name);
  const sees = trial ? `: sees ${trial.grants.map(grantText).join('; ') || 'nothing'}` : '';
  return [
    '',
    `Demo partner ${name}${sees}`,
    `  client id      ${clientId}`,
    `  client secret  ${clientSecret}`,
    `  signature      ${webhookSignature}`,
    ...webhookLine(`${receiverUrl}/${name}`, trial),
  ];
};

const webhookLine = (here: string, trial: Trial | undefined): string[] => {
  if (!trial) return ['  The service refuses this secret, or it may read nothing.'];
  const { webhookUrl, partner } = trial;
  if (webhookUrl === here) return [`  webhooks to    ${here}`];
  return [
    `  webhooks to    ${webhookUrl ?? 'nowhere'}, not to the demo receiver. To have them here again:`,
    `                 npm run operator -- partner set-webhook ${partner.name} --url ${here}`,
  ];
};

const grantText = (grant: Grant): string =>
  Object.entries(grant)
    .map(([dimension, value]) => `${dimension} ${shortened(value)}`)
    .join(', ');

const shortened = (text: string): string => (text.length > 12 ? `${text.slice(0, 8)}…` : text);

const tryLines = (stack: LocalStage['stack'], trial: Trial | undefined): string[] => [
  '',
  'As a checkout page: each call starts a checkout, and the header authentication-token has its session.',
  `  curl -si -H 'Origin: ${originOf(stack)}' ${stack.baseUrl}/api/transaction`,
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

const originOf = ({ storefronts }: LocalStage['stack']): string | undefined =>
  (storefronts.flatMap(({ origins }) => origins) as string[])[0];

/** Lines that sign a demo user in at the identity provider on the receiver's port. */
const signInLines = ({ baseUrl, storefronts }: LocalStage['stack']): string[] => {
  const shop = storefronts.find(({ identityProvider }) => identityProvider) as SigningIn | undefined;
  if (!shop) return [];
  const { issuer } = shop.identityProvider;
  const asShop = `-s -H 'Origin: ${shop.origins[0]}'`;
  const form = `-d grant_type=${tokenExchangeGrant} -d subject_token_type=${idTokenType} -d subject_token=$ID_TOKEN`;
  return [
    '',
    `As a signed-in user (${demoUsers.join(' or ')}): after each sign-in, on any device, the same checkout.`,
    `  ID_TOKEN=$(curl -s -d username=${demoUsers[0]} ${issuer}/token | ${memberOf('id_token')})`,
    `  SESSION=$(curl ${asShop} ${form} ${baseUrl}/api/session | ${memberOf('access_token')})`,
    `  curl ${asShop} -H "Authorization: Bearer $SESSION" ${baseUrl}/api/transaction`,
  ];
};

const memberOf = (name: string) => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;

type SigningIn = { origins: string[]; identityProvider: { issuer: string } };

const withToken = '-s -H "Authorization: Bearer $TOKEN"';
const asJson = "-H 'Content-Type: application/json'";

const partnerTrial = ({ authUrl, baseUrl }: LocalStage['stack'], { partner, open: [payable] }: Trial) => {
  const { name, clientId, clientSecret } = partner;
  const payment = { transaction: payable, type: 1, value: '250.00', status: 1 };
  return [
    `As the partner ${name}:`,
    `  TOKEN=$(curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${authUrl}/oauth2/token | ${memberOf('access_token')}); echo "$TOKEN"`,
    `  curl ${withToken} '${baseUrl}/api/v2/transaction?expand=customer,vehicle&per-page=2'`,
    payable === undefined
      ? 'None of its transactions is open: start a checkout, and the next start shows how to pay it.'
      : `  curl ${withToken} ${asJson} -d '${JSON.stringify(payment)}' ${baseUrl}/api/v2/payment`,
  ];
};

/** The number ends in the present second, so that a repeated line makes a change again. */
const change = `'{"customer":{"mobile":"07700 9000'$(date +%S)'"}}'`;

const changeTrial = (stack: LocalStage['stack'], { open: [payable, changeable = payable] }: Trial) => [
  `Change a transaction: TransactionUpdated follows ${restText(restSecondsOf(stack))} after its last change:`,
  `  curl ${withToken} ${asJson} -X PATCH -d ${change} ${stack.baseUrl}/api/v2/transaction/${changeable}`,
  'The payment above completes its transaction: TransactionCompleted follows at once, TransactionUpdated after dormancy.',
];

const restSecondsOf = ({ operator }: LocalStage['stack']) => Number(operator.variables.DORMANCY_SECONDS);
