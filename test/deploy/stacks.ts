import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListExportsCommand,
} from '@aws-sdk/client-cloudformation';
import { type Emulator, settingsFor } from './account.ts';

const clientOf = (emulator: Emulator) => new CloudFormationClient(settingsFor(emulator));

/** The status of each stack of the service that there is, by its name. */
export const stackStates = async (emulator: Emulator): Promise<Record<string, string | undefined>> =>
  Object.fromEntries(
    (await stacksOf(emulator)).map(({ StackName, StackStatus }) => [StackName, StackStatus]),
  );

/** The stacks that refuse to be deleted on AWS; LocalStack keeps the mark, and deletes them all the same. */
export const protectedStacks = async (emulator: Emulator): Promise<(string | undefined)[]> =>
  (await stacksOf(emulator))
    .filter(({ EnableTerminationProtection }) => EnableTerminationProtection)
    .map(({ StackName }) => StackName);

const stacksOf = async (emulator: Emulator) => {
  const { Stacks = [] } = await clientOf(emulator).send(new DescribeStacksCommand({}));
  return Stacks.filter(
    ({ StackName, StackStatus }) =>
      StackName?.startsWith('transactions-') && StackStatus !== 'DELETE_COMPLETE',
  );
};

/** What stacks export and others may import: as long as one does, it can neither change nor go on AWS. */
export const exportNames = async (emulator: Emulator): Promise<string[]> => {
  const { Exports = [] } = await clientOf(emulator).send(new ListExportsCommand({}));
  return Exports.map(({ Name = '' }) => Name).filter((name) => name.startsWith('transactions-'));
};
