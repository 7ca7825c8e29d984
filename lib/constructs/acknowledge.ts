import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** One finding of cdk-nag that is meant to be so, with the reason (S-65). */
export const acknowledge = (scope: IConstruct, id: string, reason: string): void =>
  Validations.of(scope).acknowledge({ id, reason });
