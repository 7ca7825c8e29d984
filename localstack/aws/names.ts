import { configOf } from '../../lib/config.ts';

/** Where every stage on this machine is. */
export const partition = 'aws';
export const account = '000000000000';
export const { region } = configOf('local');

/** The name of a thing of this stage, as AWS would write it. */
export const arn = (service: string, name: string) =>
  `arn:${partition}:${service}:${region}:${account}:${name}`;

/** What the SDK sends a message to; its host is where the queues answer. */
export const queueUrl = (endpoint: string, name: string): string => `${endpoint}/${account}/${name}`;
