import { execFile } from 'node:child_process';
import { resolveNs } from 'node:dns/promises';
import { promisify } from 'node:util';
import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import {
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
  type ServiceQuota,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Certificate, Quota, Zone } from './judge.ts';

type ClientSettings = {
  region: string;
  endpoint?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
};

/** The reads that preflight needs of an account. */
export type Account = ReturnType<typeof openAccount>;

/** Opens the account of the credentials. A missing resource is undefined. */
export const openAccount = (
  settings: ClientSettings,
  nameServersOf: (name: string) => Promise<string[]> = publicNameServers,
  aws: (words: readonly string[]) => Promise<string> = awsCommand,
) => {
  const quotas = new ServiceQuotasClient(settings);
  return {
    id: async (): Promise<string> =>
      (await new STSClient(settings).send(new GetCallerIdentityCommand({}))).Account ?? '',

    /** The account's quota of this name, or the default of all accounts. */
    quota: async (service: string, name: RegExp): Promise<Quota | undefined> => {
      const own = await findQuota(quotas, ListServiceQuotasCommand, { service, name });
      return own ?? findQuota(quotas, ListAWSDefaultServiceQuotasCommand, { service, name });
    },

    certificate: (CertificateArn: string): Promise<Certificate | undefined> =>
      unlessMissing(async () => {
        const { Certificate } = await new ACMClient(settings).send(
          new DescribeCertificateCommand({ CertificateArn }),
        );
        const { Status = 'unknown', DomainName = '', SubjectAlternativeNames = [] } = Certificate ?? {};
        return { status: Status, names: [...new Set([DomainName, ...SubjectAlternativeNames])] };
      }),

    zone: (Id: string): Promise<Zone | undefined> =>
      unlessMissing(async () => {
        const { HostedZone, DelegationSet } = await new Route53Client(settings).send(
          new GetHostedZoneCommand({ Id }),
        );
        const name = withoutDot(HostedZone?.Name ?? '');
        const servers = (DelegationSet?.NameServers ?? []).map(withoutDot);
        return { name, servers, delegatedTo: (await nameServersOf(name)).map(withoutDot) };
      }),

    hasRole: async (RoleName: string): Promise<boolean> =>
      (await unlessMissing(() => new IAMClient(settings).send(new GetRoleCommand({ RoleName })))) !==
      undefined,

    bootstrapVersion: (): Promise<number | undefined> =>
      unlessMissing(async () => {
        const Name = '/cdk-bootstrap/hnb659fds/version';
        const { Parameter } = await new SSMClient(settings).send(new GetParameterCommand({ Name }));
        return Number(Parameter?.Value);
      }),

    stackStatus: (StackName: string): Promise<string | undefined> =>
      unlessMissing(async () => {
        const { Stacks } = await new CloudFormationClient(settings).send(
          new DescribeStacksCommand({ StackName }),
        );
        return Stacks?.[0]?.StackStatus;
      }),

    /** The names of alarms with this prefix that ring. */
    ringing: async (prefix: string): Promise<string[]> => {
      const ofPrefix = ['--alarm-name-prefix', prefix, '--state-value', 'ALARM', '--region', settings.region];
      const onlyNames = ['--query', 'MetricAlarms[].AlarmName', '--output', 'json'];
      return JSON.parse(await aws(['cloudwatch', 'describe-alarms', ...ofPrefix, ...onlyNames]));
    },
  };
};

/** The runbook needs the AWS CLI anyway, which saves the package of a CloudWatch client. */
const awsCommand = async (words: readonly string[]): Promise<string> =>
  (await promisify(execFile)('aws', words)).stdout;

type QuotaQuery = { service: string; name: RegExp };
type QuotaCommand = typeof ListServiceQuotasCommand | typeof ListAWSDefaultServiceQuotasCommand;

const findQuota = async (
  client: ServiceQuotasClient,
  Command: QuotaCommand,
  { service, name }: QuotaQuery,
): Promise<Quota | undefined> => {
  let NextToken: string | undefined;
  do {
    const page: { Quotas?: ServiceQuota[] | undefined; NextToken?: string | undefined } = await client.send(
      new Command({ ServiceCode: service, MaxResults: 100, ...(NextToken && { NextToken }) }),
    );
    const found = page.Quotas?.find(({ QuotaName = '' }) => name.test(QuotaName));
    if (found?.Value !== undefined) return { service, code: found.QuotaCode ?? '', value: found.Value };
    NextToken = page.NextToken;
  } while (NextToken);
  return undefined;
};

/** Each service's error for a missing resource. CloudFormation has no name for it, only a ValidationError. */
const missing = [
  'ResourceNotFoundException',
  'NoSuchHostedZone',
  'NoSuchEntityException',
  'ParameterNotFound',
];

const unlessMissing = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await read();
  } catch (error) {
    const { name, message } = error as Error;
    if (missing.includes(name) || (name === 'ValidationError' && message.endsWith('does not exist')))
      return undefined;
    throw error;
  }
};

const withoutDot = (name: string) => name.replace(/\.$/, '');

/** Empty where the name is not registered. */
const publicNameServers = (name: string): Promise<string[]> => resolveNs(name).catch(() => []);
