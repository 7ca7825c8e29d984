import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { StageResources } from './stage.ts';
import { UserError } from './user-error.ts';

/** The owner of the tool's credentials, by STS. An emulator may have no `account`. */
export type Caller = { arn: string; account?: string };

/** Asks STS for the owner of the credentials. */
export type AskCaller = () => Promise<Caller>;

/** The call needs no right (API reference of STS, "GetCallerIdentity"), so only an emulator may fail it. */
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

/** The caller in audit records where the emulator knows no credentials. */
const nobody = 'emulator';

/** The caller on a local stage, which has no STS. */
export const localCaller: AskCaller = async () => ({ arn: 'local' });

/** The caller. Refuses credentials of another account than the stage's: resources of the same names may exist there. */
export const callerOf = async ({ place }: StageResources, askCaller: AskCaller): Promise<Caller> => {
  const caller = await askCaller();
  if (!place || caller.account === undefined || caller.account === place.account) return caller;
  throw new UserError(
    `${place.outputs} describes a stage in the AWS account ${place.account}, but the credentials are of ${caller.arn}: ` +
      'sign in to that account, or name a profile of it with AWS_PROFILE. Nothing was read or changed.',
  );
};
