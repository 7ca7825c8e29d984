import {
  AccountRootPrincipal,
  CompositePrincipal,
  type PrincipalBase,
  PrincipalWithConditions,
} from 'aws-cdk-lib/aws-iam';
import type { StageConfig } from './config.ts';

const withMfa = { Bool: { 'aws:MultiFactorAuthPresent': 'true' } };

/**
 * The account is trusted, so that its own policies say who may assume the role ("How to use trust policies with IAM roles",
 * AWS Security Blog), and this policy narrows them: to somebody who has signed in with MFA, or to the given roles, whose MFA
 * is where people sign in to them. A pattern holds where IAM Identity Center makes a role anew, a principal would not.
 */
export const operatorsOf = ({
  operators,
  account,
}: Pick<StageConfig, 'operators' | 'account'>): PrincipalBase => {
  const own = new AccountRootPrincipal();
  if (operators === undefined) return new PrincipalWithConditions(own, withMfa);
  const wrong = operators.find((arn) => !isOperator(arn) || !isOf(account, arn));
  if (wrong !== undefined || operators.length === 0)
    throw new Error(`"${wrong ?? ''}" is no operator: give the ARN of a role or a user of the account.`);
  const groups = Object.groupBy(operators, (arn) => (arn.includes(':user/') ? 'users' : 'roles'));
  return new CompositePrincipal(
    ...Object.entries(groups).map(
      ([kind, arns]) =>
        new PrincipalWithConditions(own, {
          ArnLike: { 'aws:PrincipalArn': arns },
          ...(kind === 'users' && withMfa),
        }),
    ),
  );
};

const isOperator = (arn: string) => isOneIdentity.test(arn) || isPermissionSet.test(arn);

const isOneIdentity = /^arn:[\w-]+:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/;

/** The name ends in letters that change; below `aws-reserved` only AWS makes roles (IAM Identity Center User Guide). */
const isPermissionSet =
  /^arn:[\w-]+:iam::\d{12}:role\/aws-reserved\/sso\.amazonaws\.com\/([\w-]+\/)?AWSReservedSSO_[\w+=,.@-]+_\*$/;

/** A stage that keeps no data may have no account: there the principal sees to it. */
const isOf = (account: string | undefined, arn: string) =>
  account === undefined || arn.split(':')[4] === account;
