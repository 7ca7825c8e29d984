import { configOf, type StageConfig, stageNames } from './config.ts';

type Owned = Pick<StageConfig, 'name' | 'account'>;

/**
 * Region and account of a stage's stacks. Throws for a stage that keeps data and names no account, and for two stages of one
 * account: whoever deploys one could deploy the other (D-16, TH-18).
 */
export const environmentOf = (
  { name, account, region, keepsData }: StageConfig,
  stages: readonly Owned[] = stageNames.map(configOf),
): { region: string; account?: string } => {
  if (account === undefined) {
    if (!keepsData) return { region };
    throw new Error(
      `The stage ${name} has no account: write its twelve digits into account of ${name} in lib/config.ts.`,
    );
  }
  if (!/^\d{12}$/.test(account))
    throw new Error(
      `The account of ${name} must have twelve digits, not "${account}": correct it in lib/config.ts.`,
    );
  const sharing = stages.find((stage) => stage.name !== name && stage.account === account);
  if (sharing)
    throw new Error(
      `The stages ${name} and ${sharing.name} share the account ${account}: give each one of its own.`,
    );
  return { region, account };
};
