import type { Grant } from '../functions/shared/domain/ownership/grant.ts';
import { spanText } from '../lib/span-text.ts';
import { openTransactionsOf } from './demo/load.ts';
import type { DemoPartner } from './stack-file.ts';
import type { LocalStage } from './stage.ts';

/** What a person needs once the stage is ready (RUN-1): addresses, demo credentials, lines to copy, and where logs are. */
export const announcement = ({ stack, folder }: LocalStage, seconds: number): string =>
  [
    '',
    `Ready after ${seconds.toFixed(1)} s. This is a stand-in for AWS, for development only; it listens on this machine alone.`,
    '',
    `  Console        ${stack.baseUrl}/`,
    `  Transactions   ${stack.baseUrl}/api/v2/transaction`,
    `  Checkout (V1)  ${stack.baseUrl}/api/transaction`,
    `  Tokens         ${stack.authUrl}/oauth2/token`,
    `  Logs           ${folder.logs}, one file a function`,
    `  For programs   ${folder.stack}`,
    ...stack.partners.flatMap((partner) => partnerLines(partner, stack)),
    ...tryLines(stack),
    '',
    'Ctrl-C stops all of it; the data stays for the next start.',
  ].join('\n');

const partnerLines = (
  { name, clientId, clientSecret, grants }: DemoPartner,
  { receiverUrl }: LocalStage['stack'],
): string[] => [
  '',
  `Demo partner ${name}: sees ${grants.map(grantText).join('; ') || 'nothing'}`,
  `  client id      ${clientId}`,
  `  client secret  ${clientSecret}`,
  `  webhooks to    ${receiverUrl}/${name}`,
];

const grantText = (grant: Grant): string =>
  Object.entries(grant)
    .map(([dimension, value]) => `${dimension} ${shortened(value)}`)
    .join(', ');

const shortened = (text: string): string => (text.length > 12 ? `${text.slice(0, 8)}…` : text);

const tryLines = (stack: LocalStage['stack']): string[] => {
  const [partner] = stack.partners;
  if (!partner) return [];
  const { clientId, clientSecret } = partner;
  const [payable, changeable] = openTransactionsOf(partner);
  const payment = { transaction: payable, type: 1, value: '250.00', status: 1 };
  const { authUrl, baseUrl } = stack;
  return [
    '',
    'Try it:',
    `  TOKEN=$(curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${authUrl}/oauth2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"`,
    `  curl ${withToken} '${baseUrl}/api/v2/transaction?expand=customer,vehicle&per-page=2'`,
    `  curl ${withToken} ${asJson} -d '${JSON.stringify(payment)}' ${baseUrl}/api/v2/payment`,
    ...webhookLines(stack, changeable),
  ];
};

const withToken = '-s -H "Authorization: Bearer $TOKEN"';
const asJson = "-H 'Content-Type: application/json'";

/** The number ends in the second of the clock: the line changes something each time. */
const change = `'{"customer":{"mobile":"07700 9000'$(date +%S)'"}}'`;

const webhookLines = ({ baseUrl, receiverUrl, operator }: LocalStage['stack'], uuid: string | undefined) => {
  const seconds = Number(operator.variables.DORMANCY_SECONDS);
  return [
    '',
    `Webhooks arrive at the demo receiver, ${receiverUrl}, and show here, a line each.`,
    `Change a transaction, and TransactionUpdated follows ${spanText(seconds)} after its last change:`,
    `  curl ${withToken} ${asJson} -X PATCH -d ${change} ${baseUrl}/api/v2/transaction/${uuid}`,
    'The first payment above completes its transaction: TransactionCompleted at once, TransactionUpdated when it rests.',
    '  npm run operator -- events list                what was sent to whom, and what became of it',
    ...(seconds < 60 ? [] : ['  npm start -- --dormancy-seconds 5              the same in seconds']),
  ];
};
