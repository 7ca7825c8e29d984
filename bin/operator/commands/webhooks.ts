import type { Command } from 'commander';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { clockText } from '../output/time.ts';
import { UserError } from '../user-error.ts';

type StopOptions = { restored?: string };

const addWebhooksCommands = (program: Command, run: RunCommand) => {
  const webhooks = program
    .command('webhooks')
    .description('The webhooks of all partners: status, stop, start');
  webhooks
    .command('status')
    .description('Show whether the webhooks of this stage are stopped, and since when')
    .addHelpText('after', '\nExample:\n  webhooks status')
    .action(run((context) => status(context)));
  webhooks
    .command('stop')
    .description('Stop all webhooks: nothing new is sent, and events wait')
    .option('--restored <table>', 'copy the stop into a restored Partners table, before you deploy it')
    .addHelpText(
      'after',
      `
Sending stops within a second. What EventBridge has already, it goes on trying for up to 24 h; "partner disable" ends that for
one partner.

Example, if wrong messages are being sent:
  webhooks stop
  webhooks start

After a restore of the Partners table (docs/recovery.md), as an administrator:
  webhooks stop --restored Partners-2`,
    )
    .action(
      run((context, { restored }: StopOptions) =>
        restored === undefined ? stop(context) : stopRestored(context, restored),
      ),
    );
  webhooks
    .command('start')
    .description('Start all webhooks: what waited is sent')
    .addHelpText(
      'after',
      '\nPaused and disabled partners stay paused and disabled.\n\nExample:\n  webhooks start',
    )
    .action(run((context) => start(context)));
};

/** `webhooks …`: stops and starts the webhooks of all partners (docs/runbook.md). */
export const webhooksCommands: CommandGroup = {
  add: addWebhooksCommands,
  rights: {
    'Partners/STAGE': ['GetItem', 'UpdateItem'],
  },
};

const status = async ({ deps }: CommandContext): Promise<CommandResult> => {
  const stop = await deps.webhookSwitch.read();
  if (!stop)
    return { json: { webhooks: 'started' }, text: 'Webhooks are sent; "webhooks stop" stops all of them.\n' };
  return {
    json: { webhooks: 'stopped', stoppedAt: new Date(stop.stoppedAtMs).toISOString() },
    text: `All webhooks are stopped since ${clockText(stop.stoppedAtMs, deps.now().getTime())}: events wait for "webhooks start".\n`,
  };
};

const stop = async (context: CommandContext): Promise<CommandResult> => {
  const { webhookSwitch, now } = context.deps;
  await context.confirm('This stops the webhooks of every partner; events wait.', 'stop');
  await context.record('webhooks stop', {});
  const { stoppedAtMs } = await webhookSwitch.stop(now().getTime());
  return {
    json: { webhooks: 'stopped', stoppedAt: new Date(stoppedAtMs).toISOString() },
    text: 'All webhooks are stopped: nothing new is sent until "webhooks start". EventBridge goes on trying what it has for up to 24 h.\n',
  };
};

/** Writes the stop into a restored table, which lacks it: otherwise its deployment would start webhooks (DR-13). */
const stopRestored = async (context: CommandContext, table: string): Promise<CommandResult> => {
  const { webhookSwitch, webhookSwitchOf } = context.deps;
  const stopped = await webhookSwitch.read();
  if (!stopped)
    throw new UserError('Webhooks are not stopped, so there is no stop to copy: run "webhooks stop" first.');
  await context.confirm(`This stops all webhooks in the table ${table}, too.`, 'stop');
  await context.record('webhooks stop', { table });
  await webhookSwitchOf(table).stop(stopped.stoppedAtMs);
  return {
    json: { webhooks: 'stopped', table },
    text: `All webhooks are stopped in ${table}, too: you can deploy it.\n`,
  };
};

const start = async (context: CommandContext): Promise<CommandResult> => {
  const { webhookSwitch, now } = context.deps;
  await context.record('webhooks start', {});
  await webhookSwitch.start(now().getTime());
  return { json: { webhooks: 'started' }, text: 'Webhooks are sent again, and what waited with them.\n' };
};
