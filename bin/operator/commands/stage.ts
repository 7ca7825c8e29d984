import { Argument, type Command } from 'commander';
import { type StagePart, stageParts } from '../../../lib/stage-parts.ts';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import type { StageFunction } from '../store/concurrency.ts';
import { UserError } from '../user-error.ts';

const addStageCommands = (program: Command, run: RunCommand) => {
  const stage = program
    .command('stage')
    .description('The functions of a deployed stage, with the role on call: status, stop, start');
  const part = () => new Argument('<part>', 'the functions').choices(Object.keys(stageParts));
  stage
    .command('status')
    .description('Show which functions are stopped')
    .addHelpText('after', '\nExample:\n  stage status')
    .action(run((context) => status(context)));
  stage
    .command('stop')
    .description('Stop functions: they get no concurrency, and their callers get 5xx')
    .addArgument(part())
    .addHelpText(
      'after',
      `
  v1      checkouts: v1-transaction
  writes  all that changes transactions, deliveries or partners, before a restore (docs/recovery.md)
  all     the same, and V2 reads

Nothing is lost: the stream and the queues keep what is waiting, up to 24 hours. Stop webhooks with "webhooks stop".

Example, while checkouts are flooded:
  stage stop v1
  stage start v1`,
    )
    .action(run((context, _options, name: StagePart) => stop(context, name)));
  stage
    .command('start')
    .description('Start functions with the concurrency of the deployment')
    .addArgument(part())
    .addHelpText('after', '\nExample:\n  stage start all')
    .action(run((context, _options, name: StagePart) => start(context, name)));
};

/** `stage …`: stops and starts functions of a stage (RUN-13). The role of a person on call has the rights (RUN-14). */
export const stageCommands: CommandGroup = { add: addStageCommands, rights: {} };

const status = async (context: CommandContext): Promise<CommandResult> => {
  const { concurrency } = context.deps;
  const found = await Promise.all(
    functionsOf(context).map(async (one) => ({ name: one.name, reserved: await concurrency.reserved(one) })),
  );
  const stopped = found.filter(({ reserved }) => reserved === 0).map(({ name }) => name);
  return {
    json: { stopped },
    text: stopped.length === 0 ? 'No function is stopped.\n' : `Stopped: ${stopped.join(', ')}.\n`,
  };
};

const stop = async (context: CommandContext, part: StagePart): Promise<CommandResult> => {
  const functions = functionsOf(context, part);
  const names = functions.map(({ name }) => name);
  await context.confirm(`This stops ${names.join(', ')}; their callers get 5xx.`, part);
  await context.record('stage stop', { part });
  for (const one of functions) await context.deps.concurrency.reserve(one, 0);
  return {
    json: { stopped: names },
    text: `Stopped: ${names.join(', ')}. "stage start ${part}" starts them.\n`,
  };
};

const start = async (context: CommandContext, part: StagePart): Promise<CommandResult> => {
  const functions = functionsOf(context, part);
  const names = functions.map(({ name }) => name);
  await context.record('stage start', { part });
  for (const one of functions) await context.deps.concurrency.reserve(one, one.reserved);
  return { json: { started: names }, text: `Started: ${names.join(', ')}.\n` };
};

/** The functions of a part, in the order in which they stop. Throws for a stage without any. */
const functionsOf = ({ deps }: CommandContext, part: StagePart = 'all'): StageFunction[] => {
  if (deps.functions.length === 0)
    throw new UserError('A local stage has no functions to stop: stop it with Ctrl-C.');
  return stageParts[part].flatMap((name) => deps.functions.filter((one) => one.name === name));
};
