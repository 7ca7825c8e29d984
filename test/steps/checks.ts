import { file, type Steps, script } from './steps.ts';

/** Static checks of code, packages and documents, of every change. */
export const changeChecks = {
  lint: script('lint', 'code, documents, unused exports and packages'),
  typecheck: script('typecheck', 'types'),
  supply: file('licences, vulnerabilities, secrets, workflows', 'test/checks/supply.ts'),
  openapi: file("the API's description", 'test/checks/openapi.ts'),
  kit: file('the partner kit as a package', 'test/checks/kit.ts'),
} satisfies Steps;

/** All static checks. A deployment begins with them. */
export const checks = {
  ...changeChecks,
  templates: file('the templates, made twice, by cfn-lint', 'test/checks/templates.ts'),
} satisfies Steps;
