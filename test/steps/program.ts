import { Command } from 'commander';
import { runLanes, type Step, type Steps } from './steps.ts';

type Program = { name: string; description: string; steps: Steps };

/** A command that runs all of its steps, or those that it is given by name. What follows `--` goes to a single step. */
export const runProgram = async ({ name, description, steps }: Program): Promise<void> => {
  const program = new Command(`npm run ${name} --`)
    .description(description)
    .argument('[names...]', 'which steps; all without a name. After a further --, options of a single step')
    .addHelpText('beforeAll', () => {
      refuseUnknown(program.args.filter((word) => !word.startsWith('-')));
      return '';
    })
    .addHelpText('after', `\nSteps:\n${stepLines(steps)}`);
  const refuseUnknown = (words: readonly string[]) => {
    const unknown = words.find((word) => !(word in steps));
    if (unknown !== undefined && words.filter((word) => word in steps).length !== 1)
      program.error(`${name} has no step ${unknown}: choose among ${Object.keys(steps).join(', ')}`);
  };
  const { args } = program.parse();
  refuseUnknown(args);
  const names = args.filter((word) => word in steps);
  const options = args.filter((word) => !(word in steps));
  const chosen =
    names.length === 0
      ? steps
      : Object.fromEntries(names.map((one) => [one, withOptions(steps[one], options)]));
  console.log(await runLanes([chosen]));
};

const stepLines = (steps: Steps) =>
  Object.entries(steps)
    .map(([name, { about }]) => `  ${name.padEnd(14)}${about}`)
    .join('\n');

const withOptions = (step: Step | undefined, options: readonly string[]): Step => {
  if (!step) throw new Error('There is no such step.');
  return { ...step, command: [...step.command, ...options] };
};
