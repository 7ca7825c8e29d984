import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { requestLimits } from '../../runtime/sdk/request-limits.ts';

/** A client with a time limit for every request. */
export const createSecretsClient = (config: SecretsManagerClientConfig = {}): SecretsManagerClient =>
  new SecretsManagerClient({ ...requestLimits(), ...config });
