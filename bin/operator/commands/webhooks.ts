import type { Command } from 'commander';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { clockText } from '../output/time.ts';
import { UserError } from '../user-error.ts';
import { awaitPartners, withWebhooks } from './webhook-wait-all.ts';

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
    .description('Stop all webhooks: events are kept, and EventBridge stops its retries')
    .option('--restored <table>', 'copy the stop into a restored Partners table, before you deploy it')
    .addHelpText(
      'after',
      `
Sending stops within a second. The command then waits until every EventBridge target is removed; Ctrl-C ends only the wait.

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
    .description('Start all webhooks: one event per transaction for what was kept')
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
    EndpointKeeperRequests: ['SendMessage'],
    'Partners/PARTNER#*': ['BatchGetItem', 'GetItem'],
    'Partners/PARTNERS': ['Query'],
    'Partners/STAGE': ['GetItem', 'UpdateItem'],
  },
};

const status = async ({ deps }: CommandContext): Promise<CommandResult> => {
  const stop = await deps.webhookSwitch.read();
  if (!stop)
    return { json: { webhooks: 'started' }, text: 'Webhooks are sent; "webhooks stop" stops all of them.\n' };
  return {
    json: { webhooks: 'stopped', stoppedAt: new Date(stop.stoppedAtMs).toISOString() },
    text: `All webhooks are stopped since ${clockText(stop.stoppedAtMs, deps.now().getTime())}: events are kept until "webhooks start".\n`,
  };
};

const stop = async (context: CommandContext): Promise<CommandResult> => {
  const { webhookSwitch, now } = context.deps;
  await context.confirm('This stops the webhooks of every partner; events are kept.', 'stop');
  await context.record('webhooks stop', {});
  const found = await afterTurning(context, () => webhookSwitch.stop(now().getTime()));
  if (!(await webhookSwitch.read()))
    throw new UserError('Somebody started all webhooks meanwhile: run "webhooks stop" again to stop them.');
  const open = [...found.failing.map(({ name }) => name), ...found.waiting];
  return {
    json: { webhooks: 'stopped', ...found },
    text: `All webhooks are stopped, and events are kept until "webhooks start". Endpoints that are off after ${found.seconds} s: ${found.partners - open.length} of ${found.partners}.\n${stillText('off', open)}`,
    exitCode: open.length > 0 ? 1 : 0,
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
  const found = await afterTurning(context, () => webhookSwitch.start(now().getTime()));
  if (await webhookSwitch.read())
    throw new UserError('Somebody stopped all webhooks again meanwhile: they stay stopped.');
  const open = [...found.failing.map(({ name }) => name), ...found.waiting];
  return {
    json: { webhooks: 'started', ...found },
    text: `Webhooks are sent again, and the kept events with them. Endpoints that have the state of their record after ${found.seconds} s: ${found.partners - open.length} of ${found.partners}.\n${stillText('in that state', open)}`,
    exitCode: open.length > 0 ? 1 : 0,
  };
};

const stillText = (what: string, names: readonly string[]) =>
  names.length === 0
    ? ''
    : `Not ${what}: ${names.join(', ')}. The service continues, and "partner show" shows the state of each.\n`;

/** Turns the switch, and waits for every partner's endpoint. */
const afterTurning = async (context: CommandContext, turn: () => Promise<unknown>) => {
  const { deps } = context;
  const startedAtMs = deps.now().getTime();
  await turn();
  const partners = await withWebhooks(deps);
  const found = await awaitPartners(context, partners);
  const seconds = Math.round((deps.now().getTime() - startedAtMs) / 1000);
  return { partners: partners.length, seconds, ...found };
};
