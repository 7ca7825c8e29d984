import { checks } from './checks.ts';
import { runProgram } from './program.ts';

await runProgram({
  name: 'check',
  description: 'Runs all static checks: of the code, of what is delivered, and of what others are told.',
  steps: checks,
});
