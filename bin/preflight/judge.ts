import { concurrencyNeeded, type OwnDomain, type StageConfig } from '../../lib/config.ts';
import { installOwnNode, isPackagedNode } from '../../lib/packaged-node.ts';
import { type Finding, good, open } from './finding.ts';

/** A quota of the account; `code` is for requests to raise it. */
export type Quota = { service: string; code: string; value: number };

/** A certificate: its status, and the hosts that it covers. */
export type Certificate = { status: string; names: string[] };

/** A hosted zone. Its name may end with a dot. */
export type Zone = { name: string };

/** Checks the account of the stage (D-16). Throws for credentials of another account. */
export const judgeAccount = ({ name, account }: StageConfig, found: string): Finding => {
  const subject = 'Account';
  if (account === found) return good(subject, `${found}, as lib/config.ts says`);
  if (account === undefined)
    return open(
      subject,
      `lib/config.ts names none for ${name}`,
      `if it is ${found}, write that into account of ${name}`,
    );
  throw new Error(
    `The stage ${name} belongs to the account ${account}, but the credentials are of ${found}: choose its profile with AWS_PROFILE.`,
  );
};

/** The Node that runs preflight would run the deployment as well. */
export const judgeNode = (execPath: string): Finding =>
  isPackagedNode(execPath)
    ? open('Node', `${execPath} is of an npm package`, installOwnNode)
    : good('Node', execPath);

/** Checks the limit of concurrent executions: the stage's reservations must leave 100 (D-04). */
export const judgeConcurrency = (quota: Quota | undefined, config: StageConfig): Finding => {
  const subject = 'Concurrent executions of Lambda';
  // Enough for some concurrent calls of every function. Two lists exhaust a new account's 10.
  const needed = concurrencyNeeded(config) ?? leastConcurrency;
  return judgeQuota(subject, quota, { needed, why: 'the functions of the stage' });
};

const leastConcurrency = 50;

/** Each partner takes a rule, a destination and a connection. */
export const judgePartnerQuota = (subject: string, quota: Quota | undefined): Finding =>
  judgeQuota(subject, quota, { needed: partnersAtLeast, why: 'one for each partner' });

const partnersAtLeast = 100;

const judgeQuota = (
  subject: string,
  quota: Quota | undefined,
  { needed, why }: { needed: number; why: string },
): Finding => {
  if (!quota) return open(subject, 'the account has no such quota', 'look it up in Service Quotas');
  const { service, code, value } = quota;
  if (value >= needed) return good(subject, `${value}, ${needed} needed: ${why}`);
  return open(
    subject,
    `${value}, but ${needed} are needed: ${why}`,
    `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value ${needed}`,
  );
};

/** Production needs a domain of its own (D-02). */
export const judgeNoDomain = (stage: string): Finding =>
  stage === 'production'
    ? open('Domain', 'production has no domain of its own', 'give it an ownDomain in lib/config.ts')
    : good('Domain', 'no domain of its own: the addresses are those of API Gateway');

const certificateSubject = 'Certificate';

/** Checks that the certificate is issued, in the stage's region and account, and covers both hosts. */
export const judgeCertificate = (
  certificate: Certificate | undefined,
  { baseHost, authHost, certificateArn }: OwnDomain,
  { region, account }: { region: string; account: string },
): Finding => {
  const [, , , itsRegion, itsAccount] = certificateArn.split(':');
  const request = `aws acm request-certificate --region ${region} --validation-method DNS --domain-name ${baseHost} --subject-alternative-names ${authHost}`;
  if (itsRegion !== region || itsAccount !== account)
    return open(
      certificateSubject,
      `is of ${itsRegion} in account ${itsAccount}, but the stage is in ${region} in account ${account}`,
      request,
    );
  if (!certificate) return open(certificateSubject, 'does not exist', request);
  const { status, names } = certificate;
  if (status !== 'ISSUED')
    return open(certificateSubject, `is ${status}, not ISSUED`, 'create the DNS records that validate it');
  const uncovered = [baseHost, authHost].filter((host) => !names.some((name) => covers(name, host)));
  if (uncovered.length > 0)
    return open(certificateSubject, `does not cover ${uncovered.join(' and ')}`, request);
  return good(certificateSubject, `issued for ${names.join(', ')}`);
};

/** `*` in `*.example.com` stands for one label. */
const covers = (name: string, host: string): boolean =>
  name === host || (name.startsWith('*.') && host.slice(host.indexOf('.') + 1) === name.slice(2));

/** Checks that the hosted zone holds both hosts. */
export const judgeZone = (zone: Zone | undefined, { baseHost, authHost, hostedZone }: OwnDomain): Finding => {
  const subject = 'DNS';
  if (!hostedZone)
    return good(
      subject,
      'no hosted zone given: after the deployment, the outputs name the two CNAME targets',
    );
  const correct = 'correct hostedZone in lib/config.ts';
  if (!zone) return open(subject, `there is no hosted zone ${hostedZone.id}`, correct);
  const name = zone.name.replace(/\.$/, '');
  if (name !== hostedZone.name)
    return open(subject, `the hosted zone ${hostedZone.id} is ${name}, not ${hostedZone.name}`, correct);
  const outside = [baseHost, authHost].filter((host) => host !== name && !host.endsWith(`.${name}`));
  if (outside.length > 0)
    return open(subject, `the hosted zone ${name} does not hold ${outside.join(' and ')}`, correct);
  return good(subject, `the hosted zone ${name} holds both hosts`);
};

/** Service-linked roles, which AWS makes for the whole account, and the services that use them. */
export const linkedRoles = {
  AWSServiceRoleForAPIGateway: 'ops.apigateway.amazonaws.com',
  AWSServiceRoleForAmazonEventBridgeApiDestinations: 'apidestinations.events.amazonaws.com',
} as const;

/** Checks a service-linked role, which a deployment role may not be allowed to make. */
export const judgeLinkedRole = (name: keyof typeof linkedRoles, exists: boolean): Finding => {
  const subject = `Role ${name}`;
  if (exists) return good(subject, 'exists');
  return open(
    subject,
    'does not exist',
    `aws iam create-service-linked-role --aws-service-name ${linkedRoles[name]}`,
  );
};

/** The lowest bootstrap version that this CDK needs. */
const leastBootstrap = 6;

/** Checks that the account is bootstrapped for the CDK. */
export const judgeBootstrap = (version: number | undefined, stage: string): Finding => {
  const subject = 'CDK bootstrap';
  const ask = `npm run cdk -- bootstrap -c stage=${stage}`;
  if (version === undefined) return open(subject, 'the account has none in this region', ask);
  if (version < leastBootstrap)
    return open(subject, `version ${version}, but ${leastBootstrap} is needed`, ask);
  return good(subject, `version ${version}`);
};

/** Checks a stack. One whose creation failed must be deleted before it is deployed again. */
export const judgeStack = (name: string, status: string | undefined): Finding => {
  const subject = `Stack ${name}`;
  if (status === undefined) return good(subject, 'not deployed yet');
  if (/^ROLLBACK_|^CREATE_FAILED$|^DELETE_FAILED$/.test(status))
    return open(
      subject,
      `was never created: ${status}`,
      'delete it: docs/runbook.md, "Repeat a failed first deployment"',
    );
  if (status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS')
    return open(subject, `is being changed: ${status}`, 'wait until that has ended');
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return open(
      subject,
      'a rollback failed',
      `aws cloudformation continue-update-rollback --stack-name ${name}`,
    );
  return good(subject, status);
};

/** Checks for firing alarms that would make CodeDeploy roll a gradual deployment back (D-12). */
export const judgeShift = (ringing: readonly string[]): Finding => {
  const subject = 'Gradual deployment';
  if (ringing.length === 0) return good(subject, 'no alarm would roll it back');
  return open(
    subject,
    `would be rolled back, because these alarms are in ALARM: ${ringing.join(', ')}`,
    'deploy with -c shift=at-once',
  );
};
