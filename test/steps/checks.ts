import { file, type Steps, script } from './steps.ts';

/** Static checks of code, packages and documents. A deployment begins with them. */
export const checks = {
  lint: script('lint', 'code, documents, unused exports and packages'),
  typecheck: script('typecheck', 'types'),
  supply: file('licences, vulnerabilities, secrets, workflows', 'test/checks/supply.ts'),
  openapi: file("the API's description", 'test/checks/openapi.ts'),
  templates: file('the templates, made twice, by cfn-lint', 'test/checks/templates.ts'),
  kit: file('the partner kit as a package', 'test/checks/kit.ts'),
} satisfies Steps;
