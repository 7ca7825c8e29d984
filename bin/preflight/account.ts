import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Certificate, Quota, Zone } from './judge.ts';

/** Runs the AWS CLI and returns what it prints. Throws an error whose message is what the CLI says. */
export type Aws = (words: readonly string[]) => Promise<string>;

/** The reads that preflight needs of an account. */
export type Account = ReturnType<typeof openAccount>;

/** Opens the account of the credentials, by the AWS CLI. A missing resource is undefined. */
export const openAccount = (region: string, aws: Aws = runAws) => {
  const read = async <Value>(...words: string[]): Promise<Value> =>
    JSON.parse(await aws([...words, '--region', region, '--output', 'json']));
  const readIfThere = <Value>(...words: string[]) => unlessMissing(() => read<Value>(...words));
  const quotas = (command: string, service: string) =>
    read<[name: string, code: string, value: number][]>(
      ...['service-quotas', command, '--service-code', service],
      ...['--query', 'Quotas[].[QuotaName,QuotaCode,Value]'],
    );
  return {
    id: () => read<string>('sts', 'get-caller-identity', '--query', 'Account'),

    /** The account's quota of this name, or the default of all accounts. */
    quota: async (service: string, name: RegExp): Promise<Quota | undefined> => {
      for (const command of ['list-service-quotas', 'list-aws-default-service-quotas']) {
        const found = (await quotas(command, service)).find(([quotaName]) => name.test(quotaName));
        if (found) return { service, code: found[1], value: found[2] };
      }
      return undefined;
    },

    certificate: (arn: string) =>
      readIfThere<Certificate>(
        ...['acm', 'describe-certificate', '--certificate-arn', arn],
        ...['--query', 'Certificate.{status: Status, names: SubjectAlternativeNames}'],
      ),

    zone: (id: string) =>
      readIfThere<Zone>('route53', 'get-hosted-zone', '--id', id, '--query', '{name: HostedZone.Name}'),

    hasRole: async (name: string): Promise<boolean> =>
      (await readIfThere('iam', 'get-role', '--role-name', name)) !== undefined,

    bootstrapVersion: async (): Promise<number | undefined> => {
      const name = '/cdk-bootstrap/hnb659fds/version';
      const version = await readIfThere<string>(
        ...['ssm', 'get-parameter', '--name', name, '--query', 'Parameter.Value'],
      );
      return version === undefined ? undefined : Number(version);
    },

    stackStatus: (name: string) =>
      readIfThere<string>(
        ...['cloudformation', 'describe-stacks', '--stack-name', name, '--query', 'Stacks[0].StackStatus'],
      ),

    /** The names of alarms with this prefix that ring. */
    ringing: (prefix: string) =>
      read<string[]>(
        ...['cloudwatch', 'describe-alarms', '--alarm-name-prefix', prefix, '--state-value', 'ALARM'],
        ...['--query', 'MetricAlarms[].AlarmName'],
      ),
  };
};

const runAws: Aws = async (words) => {
  try {
    return (await promisify(execFile)('aws', words)).stdout;
  } catch (error) {
    const { code, stderr, message } = error as Error & { code: unknown; stderr?: string };
    if (code === 'ENOENT') throw new Error('The AWS CLI was not found: install "aws" of version 2.');
    throw new Error(stderr?.trim() || message);
  }
};

/** Each service's error for a missing resource. CloudFormation has no name for it, only a ValidationError. */
const missing =
  /\((ResourceNotFoundException|NoSuchHostedZone|NoSuchEntity|ParameterNotFound)\)|does not exist$/;

const unlessMissing = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (missing.test((error as Error).message)) return undefined;
    throw error;
  }
};
