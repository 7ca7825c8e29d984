import type { StageConfig } from './config.ts';

/**
 * Throws, in one sentence, when production has no domain of its own (S-74): its issuer, its links and the addresses that
 * partners hold would be those of an API that a restored or replaced stack does not have.
 */
export const assertOwnDomain = ({ name, ownDomain }: StageConfig): void => {
  if (name === 'production' && !ownDomain)
    throw new Error('Production needs a domain of its own: give it an ownDomain in lib/config.ts.');
};

/** The stage as it is checked without an account: production with the example of a domain, where it has none yet. */
export const withExampleDomain = (config: StageConfig): StageConfig => {
  if (config.name !== 'production' || config.ownDomain) return config;
  return { ...config, ownDomain: exampleDomain };
};

const exampleDomain = {
  baseHost: 'api.example.com',
  authHost: 'auth.example.com',
  certificateArn: 'arn:aws:acm:eu-west-2:111122223333:certificate/12345678-1234-1234-1234-123456789012',
  hostedZone: { id: 'Z0123456789EXAMPLE', name: 'example.com' },
};
