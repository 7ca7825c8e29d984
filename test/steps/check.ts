import { checks } from './checks.ts';
import { runProgram } from './program.ts';

await runProgram({
  name: 'check',
  description: 'Runs all static checks: code, packages, templates and descriptions.',
  steps: checks,
});
