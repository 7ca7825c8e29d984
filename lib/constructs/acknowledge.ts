import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import type { StageConfig } from '../config.ts';

/** Accepts one finding of cdk-nag, with the reason (S-65). */
export const acknowledge = (scope: IConstruct, id: string, reason: string): void =>
  Validations.of(scope).acknowledge({ id, reason });

/** The account of a stage in cdk-nag's findings. */
export const accountInFindings = ({ account }: StageConfig): string => account ?? '<AWS::AccountId>';
