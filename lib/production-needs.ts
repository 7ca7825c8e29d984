import type { StageConfig } from './config.ts';

/** Throws when production lacks a domain of its own, or an address for alarms (S-70). */
export const assertProductionNeeds = ({ name, ownDomain, watch }: StageConfig): void => {
  if (name !== 'production') return;
  // Otherwise issuer, links and partners' addresses would change with a restored or replaced stack (S-74).
  if (!ownDomain)
    throw new Error('Production needs a domain of its own: give it an ownDomain in lib/config.ts.');
  if (!watch || watch.emails.length === 0)
    throw new Error(
      'The alarms of production need a recipient: name an address in watch.emails of lib/config.ts.',
    );
};

/** The stage with examples for missing settings, so that it can be checked without an account. */
export const withExamples = (given: StageConfig): StageConfig => {
  const config = given.keepsData ? { account: exampleAccount, ...given } : given;
  const { name, region, ownDomain, watch, pipeline } = config;
  if (name !== 'production') return config;
  return {
    ...config,
    pipeline: pipeline ?? examplePipeline,
    ownDomain: ownDomain ?? exampleDomainIn(region),
    ...(watch?.emails.length === 0 && { watch: { ...watch, emails: ['alarms@example.com'] } }),
  };
};

const exampleAccount = '111122223333';

const examplePipeline = {
  repository: 'example@1/transactions@2',
  environment: 'production',
};

const exampleDomainIn = (region: string) => ({
  baseHost: 'api.example.com',
  authHost: 'auth.example.com',
  certificateArn: `arn:aws:acm:${region}:${exampleAccount}:certificate/12345678-1234-1234-1234-123456789012`,
  hostedZone: { id: 'Z0123456789EXAMPLE', name: 'example.com' },
});
