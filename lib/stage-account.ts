import { configOf, type StageConfig, stageNames } from './config.ts';

type Owned = Pick<StageConfig, 'name' | 'account'>;

/**
 * Where the stacks of a stage go. Throws, in one sentence, where data would be kept in whatever account the credentials are of,
 * and where two stages share one: whoever deploys the one could deploy the other (D-16, TH-18).
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
    throw new Error(`The account of ${name} has twelve digits, not "${account}": mend it in lib/config.ts.`);
  const other = stages.find((one) => one.name !== name && one.account === account);
  if (other)
    throw new Error(
      `The stages ${name} and ${other.name} share the account ${account}: give each one of its own.`,
    );
  return { region, account };
};
