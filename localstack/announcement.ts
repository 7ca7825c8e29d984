import type { Grant } from '../functions/shared/domain/grant.ts';
import { payableBy } from './demo.ts';
import type { DemoPartner } from './stack-file.ts';
import type { Stage } from './stage.ts';

/** What a person needs once the stage is ready (RUN-1): addresses, demo credentials, lines to copy, and where logs are. */
export const announcement = ({ stack, folder }: Stage, seconds: number): string =>
  [
    '',
    `Ready after ${seconds.toFixed(1)} s. This is a stand-in for AWS, for development only; it listens on this machine alone.`,
    '',
    `  Transactions   ${stack.baseUrl}/api/v2/transaction`,
    `  Checkout (V1)  ${stack.baseUrl}/api/transaction`,
    `  Tokens         ${stack.authUrl}/oauth2/token`,
    `  Logs           ${folder.logs}, one file a function`,
    `  For programs   ${folder.stack}`,
    ...stack.partners.flatMap(partnerLines),
    ...tryLines(stack),
    '',
    'Ctrl-C stops all of it; the data stays for the next start.',
  ].join('\n');

const partnerLines = ({ name, clientId, clientSecret, grants }: DemoPartner): string[] => [
  '',
  `Demo partner ${name}: sees ${grants.map(grantText).join('; ') || 'nothing'}`,
  `  client id      ${clientId}`,
  `  client secret  ${clientSecret}`,
];

const grantText = (grant: Grant): string =>
  Object.entries(grant)
    .map(([dimension, value]) => `${dimension} ${shortened(value)}`)
    .join(', ');

const shortened = (text: string): string => (text.length > 12 ? `${text.slice(0, 8)}…` : text);

const tryLines = ({ partners, authUrl, baseUrl }: Stage['stack']): string[] => {
  const [partner] = partners;
  if (!partner) return [];
  const { clientId, clientSecret } = partner;
  const payment = { transaction: payableBy(partner), type: 1, value: '250.00', status: 1 };
  return [
    '',
    'Try it:',
    `  TOKEN=$(curl -s -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${authUrl}/oauth2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"`,
    `  curl -s -H "Authorization: Bearer $TOKEN" '${baseUrl}/api/v2/transaction?expand=customer,vehicle&per-page=2'`,
    `  curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${JSON.stringify(payment)}' ${baseUrl}/api/v2/payment`,
  ];
};
