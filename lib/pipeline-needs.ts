import type { PipelineConfig } from './config.ts';

/** The issuer of GitHub's tokens. */
export const issuer = 'token.actions.githubusercontent.com';

/** Throws for a provider of another account than the stage's, or of another issuer than GitHub. */
export const assertProvider = (account: string, { providerArn }: PipelineConfig): void => {
  if (providerArn !== undefined && !isProviderOf(account, providerArn))
    throw new Error(`"${providerArn}" is not the provider of ${issuer} in the account ${account}.`);
};

const isProviderOf = (account: string, arn: string) =>
  /^arn:[\w-]+:iam::\d{12}:oidc-provider\/[\w.]+$/.test(arn) &&
  arn.endsWith(`:iam::${account}:oidc-provider/${issuer}`);

/** `owner/name`, or `owner@12/name@34` with the ids that GitHub adds for repositories made since July 2026. */
const isRepository = (text: string) => /^([\w-]+\/[\w.-]+|[\w-]+@\d+\/[\w.-]+@\d+)$/.test(text);

/** Neither a wildcard of IAM nor a colon, which would begin another part of a subject. */
const isPlainName = (text: string) => /^[\w./-]+$/.test(text);

/**
 * The exact subject that AWS requires (GitHub's "OpenID Connect reference", "Example subject claims"). Throws unless it is one
 * repository with one environment or branch.
 */
export const subjectOf = (stage: string, { repository, environment, branch }: PipelineConfig): string => {
  if (!isRepository(repository))
    throw new Error(
      `A pipeline belongs to one repository, owner/name or owner@12/name@34, not to "${repository}".`,
    );
  if ((environment === undefined) === (branch === undefined))
    throw new Error('A pipeline deploys from one environment or from one branch: name one of them.');
  if (stage === 'production' && environment === undefined)
    throw new Error(
      'Production must be deployed from an environment, because a person approves its deployments.',
    );
  const name = environment ?? branch ?? '';
  if (!isPlainName(name))
    throw new Error(`A pipeline deploys from one environment or from one branch, not from "${name}".`);
  return `repo:${repository}:${environment === undefined ? `ref:refs/heads/${name}` : `environment:${name}`}`;
};
