import type { StageConfig } from '../../lib/config.ts';
import { takesBack } from '../../lib/constructs/watch/alarm-catalogue.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import {
  judgeAccount,
  judgeBootstrap,
  judgeCertificate,
  judgeConcurrency,
  judgeLinkedRole,
  judgeNoDomain,
  judgePartnerQuota,
  judgeShift,
  judgeStack,
  judgeZone,
  linkedRoles,
} from './judge.ts';

type Check = [subject: string, check: () => Promise<Finding>];

/**
 * Runs every check of the account for one stage, in the order in which a person resolves the findings. `id` is the account's.
 * Throws for another account than the stage's.
 */
export const inspectAccount = async (
  config: StageConfig,
  account: Account,
  id: string,
): Promise<Finding[]> => {
  const ownAccount = judgeAccount(config, id);
  const checks = [
    ...quotaChecks(config, account),
    ...domainChecks(config, account, id),
    ...roleChecks(account),
    ...cdkChecks(config, account),
    ...shiftChecks(config, account),
  ];
  const findings = checks.map(([subject, check]) => check().catch((fault) => unknown(subject, fault)));
  return [ownAccount, ...(await Promise.all(findings))];
};

/** A check that fails, for want of a right for example, does not end the others. */
const unknown = (subject: string, { message }: Error): Finding => ({
  subject,
  state: 'unknown',
  says: `could not be read: ${message}`,
});

const quotaChecks = (config: StageConfig, account: Account): Check[] => [
  [
    'Concurrent executions of Lambda',
    async () => judgeConcurrency(await account.quota('lambda', /^Concurrent executions$/), config),
  ],
  ...Object.entries(partnerQuotas).map(
    ([subject, name]): Check => [
      subject,
      async () => judgePartnerQuota(subject, await account.quota('events', name)),
    ],
  ),
];

/** The names in Service Quotas, anchored since other kinds of buses have quotas of similar names. */
const partnerQuotas = {
  'Rules of a bus': /^(Number of )?rules( per event bus)?$/i,
  'API destinations': /^API destinations$/i,
  Connections: /^Connections$/i,
};

const domainChecks = ({ name, ownDomain, region }: StageConfig, account: Account, id: string): Check[] => {
  if (!ownDomain) return [['Domain', async () => judgeNoDomain(name)]];
  const { certificateArn, hostedZone } = ownDomain;
  return [
    [
      'Certificate',
      async () => {
        const place = { region, account: id };
        return judgeCertificate(await account.certificate(certificateArn), ownDomain, place);
      },
    ],
    ['DNS', async () => judgeZone(hostedZone && (await account.zone(hostedZone.id)), ownDomain)],
  ];
};

const roleChecks = (account: Account): Check[] =>
  (Object.keys(linkedRoles) as (keyof typeof linkedRoles)[]).map((name) => [
    `Role ${name}`,
    async () => judgeLinkedRole(name, await account.hasRole(name)),
  ]);

const cdkChecks = ({ name }: StageConfig, account: Account): Check[] => [
  ['CDK bootstrap', async () => judgeBootstrap(await account.bootstrapVersion(), name)],
  ...['data', 'service'].map((part): Check => {
    const stack = `transactions-${name}-${part}`;
    return [`Stack ${stack}`, async () => judgeStack(stack, await account.stackStatus(stack))];
  }),
];

const shiftChecks = ({ name, shiftsGradually }: StageConfig, account: Account): Check[] => {
  if (!shiftsGradually) return [];
  const check = async () => {
    const ringing = await account.ringing(`transactions-${name}-`);
    return judgeShift(ringing.filter((alarm) => takesBack(name, alarm)));
  };
  return [['Gradual deployment', check]];
};
