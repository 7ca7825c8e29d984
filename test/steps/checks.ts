import type { Steps } from './steps.ts';

/** Static checks of code, packages and documents. A deployment begins with them. */
export const checks = {
  lint: {
    about: 'code, documents, unused exports and packages',
    command: ['npm', 'run', '--silent', 'lint'],
  },
  typecheck: { about: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  supply: {
    about: 'licences, vulnerabilities, secrets, workflows',
    command: ['node', 'test/checks/supply.ts'],
  },
  openapi: { about: "the API's description", command: ['node', 'test/checks/openapi.ts'] },
  templates: {
    about: 'the templates, by cfn-lint and others',
    command: ['node', 'test/checks/templates.ts'],
  },
  kit: { about: 'the partner kit as a package', command: ['node', 'test/checks/kit.ts'] },
} satisfies Steps;
