import {
  AccountRootPrincipal,
  CompositePrincipal,
  type PrincipalBase,
  PrincipalWithConditions,
} from 'aws-cdk-lib/aws-iam';
import type { StageConfig } from '../../config.ts';

const withMfa = { Bool: { 'aws:MultiFactorAuthPresent': 'true' } };

/**
 * The principal that may assume the operator's role. It is the account, whose policies decide who may ("How to use trust
 * policies with IAM roles", AWS Security Blog), limited to sign-ins with MFA, or to `operators`: roles have their MFA at
 * sign-in. They are a condition, since a principal would break when IAM Identity Center makes a role anew. Throws for an ARN
 * that is no role or user of the account.
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

/** A role's name has a changing suffix; only AWS makes roles below `aws-reserved` (IAM Identity Center User Guide). */
const isPermissionSet =
  /^arn:[\w-]+:iam::\d{12}:role\/aws-reserved\/sso\.amazonaws\.com\/([\w-]+\/)?AWSReservedSSO_[\w+=,.@-]+_\*$/;

/** A stage without data may have no account. The principal then limits the role to the deployed one. */
const isOf = (account: string | undefined, arn: string) =>
  account === undefined || arn.split(':')[4] === account;
