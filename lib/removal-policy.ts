import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { StageConfig } from './config.ts';

/** Keeps data when its stack is deleted. A first deployment that fails still deletes it, so it can be repeated. */
export const removalPolicyOf = ({ keepsData }: StageConfig): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
