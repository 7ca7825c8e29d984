import type { PipelineConfig } from './config.ts';

/** Whose tokens AWS takes. */
export const issuer = 'token.actions.githubusercontent.com';

/** Throws, in one sentence, for a provider that is not of the stage's account, or not of GitHub. */
export const assertProvider = (account: string, { providerArn }: PipelineConfig): void => {
  if (providerArn !== undefined && !isProviderOf(account, providerArn))
    throw new Error(`"${providerArn}" is not the provider of ${issuer} in the account ${account}.`);
};

const isProviderOf = (account: string, arn: string) =>
  /^arn:[\w-]+:iam::\d{12}:oidc-provider\/[\w.]+$/.test(arn) &&
  arn.endsWith(`:iam::${account}:oidc-provider/${issuer}`);

/** `owner/name`, or with the ids that GitHub gives repositories made since July 2026: `owner@12/name@34`. */
const isRepository = (text: string) => /^([\w-]+\/[\w.-]+|[\w-]+@\d+\/[\w.-]+@\d+)$/.test(text);

/** No wildcard of IAM, and nothing that would begin another part of a subject. */
const isPlainName = (text: string) => /^[\w./-]+$/.test(text);

/**
 * Whom AWS has to see, to the letter: GitHub's "OpenID Connect reference", "Example subject claims". Throws, in one sentence,
 * when it would be more than one repository and one environment or branch.
 */
export const subjectOf = (stage: string, { repository, environment, branch }: PipelineConfig): string => {
  if (!isRepository(repository))
    throw new Error(
      `A pipeline belongs to one repository, owner/name or owner@12/name@34, not to "${repository}".`,
    );
  if ((environment === undefined) === (branch === undefined))
    throw new Error('A pipeline deploys from one environment or from one branch: name one of them.');
  if (stage === 'production' && environment === undefined)
    throw new Error('Production is deployed from an environment, because there somebody has to approve.');
  const name = environment ?? branch ?? '';
  if (!isPlainName(name))
    throw new Error(`A pipeline deploys from one environment or from one branch, not from "${name}".`);
  return `repo:${repository}:${environment === undefined ? `ref:refs/heads/${name}` : `environment:${name}`}`;
};
