import type { Patch } from '../../patch.ts';

/** What keeps a deployment to LocalStack on this machine. */
export const patches: readonly Patch[] = [
  {
    id: 'localstack-loopback',
    rule: 'D-20 a deployment to LocalStack reaches loopback alone',
    file: 'localstack/deploy.sh',
    find: '[[ $endpoint =~ ^http://127\\.0\\.0\\.1:[0-9]+$ ]] ||',
    put: '[[ $endpoint =~ ^http ]] ||',
    tests: ['test/integration/localstack/deploy-script.test.ts'],
  },
];
