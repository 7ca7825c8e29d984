import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListExportsCommand,
} from '@aws-sdk/client-cloudformation';
import type { Emulator } from './account.ts';
import { region } from './account.ts';

const clientOf = ({ endpoint }: Emulator) =>
  new CloudFormationClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

/** The status of each stack of the service that there is, by its name. */
export const stackStates = async (emulator: Emulator): Promise<Record<string, string>> => {
  const { Stacks = [] } = await clientOf(emulator).send(new DescribeStacksCommand({}));
  const ours = Stacks.filter(
    ({ StackName, StackStatus }) =>
      StackName?.startsWith('transactions-') && StackStatus !== 'DELETE_COMPLETE',
  );
  return Object.fromEntries(ours.map(({ StackName, StackStatus }) => [StackName, StackStatus]));
};

/** What stacks export and others may import: as long as one does, it can neither change nor go on AWS. */
export const exportNames = async (emulator: Emulator): Promise<string[]> => {
  const { Exports = [] } = await clientOf(emulator).send(new ListExportsCommand({}));
  return Exports.map(({ Name = '' }) => Name).filter((name) => name.startsWith('transactions-'));
};
