import { configOf, type PipelineConfig, type StageConfig, stageNames } from './config.ts';

/** Whose tokens AWS takes. */
export const issuer = 'token.actions.githubusercontent.com';

type Stage = Pick<StageConfig, 'name' | 'pipeline'>;

/**
 * Throws, in one sentence, when a pipeline would reach more than its stage: whoever may use the bootstrap of an account
 * reaches all that is in it, another stage as well (decision 36). The provider has to be of that account, and of GitHub.
 */
export const assertPipelineNeeds = (
  name: string,
  { account, providerArn }: PipelineConfig,
  stages: readonly Stage[] = stageNames.map(configOf),
): void => {
  if (!/^\d{12}$/.test(account))
    throw new Error(`A pipeline deploys into one account, twelve digits, not into "${account}".`);
  const other = stages.find((one) => one.name !== name && one.pipeline?.account === account);
  if (other)
    throw new Error(
      `The pipelines of ${name} and ${other.name} share the account ${account}, so that each could deploy both: give each an account of its own.`,
    );
  if (providerArn !== undefined && !isProviderOf(account, providerArn))
    throw new Error(`"${providerArn}" is not the provider of ${issuer} in the account ${account}.`);
};

const isProviderOf = (account: string, arn: string) =>
  /^arn:[\w-]+:iam::\d{12}:oidc-provider\/[\w.]+$/.test(arn) &&
  arn.endsWith(`:iam::${account}:oidc-provider/${issuer}`);
