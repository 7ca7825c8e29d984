import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { StageConfig } from './config.ts';

/** What happens to data when its stack is deleted. A first deployment that fails leaves nothing behind: it is repeated. */
export const removalPolicyOf = ({ keepsData }: StageConfig): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
