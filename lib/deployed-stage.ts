import { configOf, type StageConfig } from './config.ts';

/** The account of MiniStack and LocalStack. */
const emulatedAccount = '000000000000';

/**
 * The stage that `-c stage=` names, for the account that the CDK's command line found. Throws, in one sentence, without a
 * name, and when the local stage would go to AWS: it keeps no data, and has no addresses there.
 */
export const stageToDeploy = (name: string | undefined, account: string | undefined): StageConfig => {
  if (name === undefined) throw new Error('Name the stage: -c stage=staging or -c stage=production.');
  if (name === 'local' && account !== undefined && account !== emulatedAccount)
    throw new Error(
      `The stage local is for this machine and for emulators, not for account ${account}: choose staging or production.`,
    );
  return configOf(name);
};
