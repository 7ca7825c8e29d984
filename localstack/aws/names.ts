import { configOf } from '../../lib/config.ts';

/** Partition, account and region of every stage on this machine. */
export const partition = 'aws';
export const account = '000000000000';
export const { region } = configOf('local');

/** The ARN of a resource of this stage. */
export const arn = (service: string, name: string) =>
  `arn:${partition}:${service}:${region}:${account}:${name}`;

/** The URL of a queue; `endpoint` is the address of the local SQS. */
export const queueUrl = (endpoint: string, name: string): string => `${endpoint}/${account}/${name}`;
