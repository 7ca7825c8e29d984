import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { StageResources } from './stage.ts';
import { UserError } from './user-error.ts';

/** Whose credentials the tool works with, as AWS says; an emulator may know no accounts. */
export type Caller = { arn: string; account?: string };

/** Asks who the credentials belong to. */
export type AskCaller = () => Promise<Caller>;

/** STS answers everybody, whatever rights they have (API reference of STS, "GetCallerIdentity"). */
export const createAskCaller =
  (client: Pick<STSClient, 'send'>, { isEmulated }: { isEmulated: boolean }): AskCaller =>
  async () => {
    try {
      const { Arn, Account } = await client.send(new GetCallerIdentityCommand({}));
      return { arn: Arn ?? nobody, ...(Account !== undefined && { account: Account }) };
    } catch (fault) {
      if (!isEmulated) throw fault;
      return { arn: nobody };
    }
  };

/** What audit records have where credentials mean nothing. */
const nobody = 'emulator';

/** A local stage asks nobody. */
export const localCaller: AskCaller = async () => ({ arn: 'local' });

/** The caller, who must be of the account that the stage is in: resources of its names may exist in another one, too. */
export const callerOf = async ({ place }: StageResources, askCaller: AskCaller): Promise<Caller> => {
  const caller = await askCaller();
  if (!place || caller.account === undefined || caller.account === place.account) return caller;
  throw new UserError(
    `${place.outputs} describes a stage in the AWS account ${place.account}, but the credentials are of ${caller.arn}: ` +
      'sign in to that account, or name a profile of it with AWS_PROFILE. Nothing was read or changed.',
  );
};
