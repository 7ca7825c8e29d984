import { takesBack } from '../../lib/alarm-catalogue.ts';
import type { StageConfig } from '../../lib/config.ts';
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

type Look = [subject: string, look: () => Promise<Finding>];

/**
 * Runs every check of the account for one stage, in the order in which a person resolves the findings. Throws for another
 * account than the stage's.
 */
export const inspectAccount = async (config: StageConfig, account: Account): Promise<Finding[]> => {
  const id = await account.id();
  const ownAccount = judgeAccount(config, id);
  const looks = [
    ...quotaLooks(config, account),
    ...domainLooks(config, account, id),
    ...roleLooks(account),
    ...cdkLooks(config, account),
    ...shiftLooks(config, account),
  ];
  const looked = looks.map(([subject, look]) => look().catch((fault) => unknown(subject, fault)));
  return [ownAccount, ...(await Promise.all(looked))];
};

/** A check that fails, for want of a right for example, does not end the others. */
const unknown = (subject: string, { name, message }: Error): Finding => ({
  subject,
  state: 'unknown',
  says: `could not be seen (${name}): ${message}`,
});

const quotaLooks = (config: StageConfig, account: Account): Look[] => [
  [
    'Concurrent executions of Lambda',
    async () => judgeConcurrency(await account.quota('lambda', /^Concurrent executions$/), config),
  ],
  ...Object.entries(partnerQuotas).map(
    ([subject, name]): Look => [
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

const domainLooks = ({ name, ownDomain, region }: StageConfig, account: Account, id: string): Look[] => {
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

const roleLooks = (account: Account): Look[] =>
  (Object.keys(linkedRoles) as (keyof typeof linkedRoles)[]).map((name) => [
    `Role ${name}`,
    async () => judgeLinkedRole(name, await account.hasRole(name)),
  ]);

const cdkLooks = ({ name }: StageConfig, account: Account): Look[] => [
  ['CDK bootstrap', async () => judgeBootstrap(await account.bootstrapVersion(), name)],
  ...['data', 'service'].map((part): Look => {
    const stack = `transactions-${name}-${part}`;
    return [`Stack ${stack}`, async () => judgeStack(stack, await account.stackStatus(stack))];
  }),
];

const shiftLooks = ({ name, shiftsGradually }: StageConfig, account: Account): Look[] => {
  if (!shiftsGradually) return [];
  const look = async () => {
    const ringing = await account.ringing(`transactions-${name}-`);
    return judgeShift(ringing.filter((alarm) => takesBack(name, alarm)));
  };
  return [['Gradual deployment', look]];
};
