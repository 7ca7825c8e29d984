import type { Command } from 'commander';
import type { Outcome } from '../../../functions/shared/domain/outcome.ts';
import { type CommandContext, type CommandResult, type RunCommand, webhookDepsOf } from '../context.ts';
import { progressOf } from '../output/progress.ts';
import { clockText } from '../output/time.ts';
import {
  type StageWebhookDeps,
  type StageWebhookRefusal,
  startWebhooks,
  stopWebhooks,
} from '../partners/stage-webhooks.ts';
import { UserError } from '../user-error.ts';

type StopOptions = { restored?: string };

/** `webhooks …`: the webhooks of the whole stage, all partners at once (docs/runbook.md). */
export const addWebhooksCommands = (program: Command, run: RunCommand) => {
  const webhooks = program.command('webhooks').description('The webhooks of all partners at once');
  webhooks
    .command('status')
    .description('Whether the webhooks of this stage are stopped, and since when')
    .action(run((context) => status(context)));
  webhooks
    .command('stop')
    .description('Send no partner anything: events are kept, and the bus gives up what it still tries')
    .option('--restored <table>', 'write the stop into a restored Partners table, before it is deployed')
    .addHelpText(
      'after',
      `
Nothing new leaves from the first second on; what is being sent right now has ended after 20 s. It may be run again at any time.

Example, when messages go out that must not:
  webhooks stop
  webhooks start

When the Partners table was restored (docs/recovery.md), with the rights that restored it:
  webhooks stop --restored Partners-2`,
    )
    .action(
      run((context, { restored }: StopOptions) =>
        restored === undefined ? stop(context) : stopRestored(context, restored),
      ),
    );
  webhooks
    .command('start')
    .description('Send partners their events again: one event per transaction for what was kept')
    .addHelpText('after', '\nPartners that are paused or disabled stay so.\n\nExample:\n  webhooks start')
    .action(run((context) => start(context)));
};

const status = async ({ deps }: CommandContext): Promise<CommandResult> => {
  const stop = await deps.webhookSwitch.read();
  if (!stop)
    return { json: { webhooks: 'started' }, text: 'Webhooks are sent; "webhooks stop" stops all of them.\n' };
  const stoppedAt = new Date(stop.stoppedAtMs).toISOString();
  if (stop.startingAtMs !== undefined)
    return {
      json: { webhooks: 'starting', stoppedAt },
      text: 'Webhooks are sent again, but a start has not ended: "webhooks start" sends what is still kept.\n',
    };
  return {
    json: { webhooks: 'stopped', stoppedAt },
    text: `All webhooks are stopped since ${clockText(stop.stoppedAtMs, deps.now().getTime())}: events are kept until "webhooks start".\n`,
  };
};

const stop = async (context: CommandContext): Promise<CommandResult> => {
  await context.confirm('This stops the webhooks of every partner; events are kept.', 'stop');
  await context.record('webhooks stop', {});
  const { result, seconds } = await timed(context, stopWebhooks);
  const { partners, failed } = valueOrSentence(result);
  if (failed.length > 0)
    throw new UserError(
      `Events are kept, but the endpoints of ${failed.join(', ')} are still on: run "webhooks stop" again.`,
    );
  return {
    json: { webhooks: 'stopped', partners, seconds },
    text: `All webhooks are stopped: the endpoints of ${partnersText(partners)} are off after ${seconds} s. Events are kept until "webhooks start".\n`,
  };
};

/** The stop went back with the table, and targets are gone: from its deployment on the bus would drop every event (DR-13). */
const stopRestored = async (context: CommandContext, table: string): Promise<CommandResult> => {
  const { webhookSwitch, webhookSwitchOf } = context.deps;
  const stopped = await webhookSwitch.read();
  if (!stopped || stopped.startingAtMs !== undefined)
    throw new UserError('Webhooks are not stopped, so there is no stop to copy: run "webhooks stop" first.');
  await context.confirm(`This stops all webhooks in the table ${table}, too.`, 'stop');
  await context.record('webhooks stop', { table });
  await webhookSwitchOf(table).stop(stopped.stoppedAtMs);
  return {
    json: { webhooks: 'stopped', table },
    text: `All webhooks are stopped in ${table}, too: it may be deployed.\n`,
  };
};

const start = async (context: CommandContext): Promise<CommandResult> => {
  await context.record('webhooks start', {});
  const { result, seconds } = await timed(context, startWebhooks);
  const { partners, events, failed } = valueOrSentence(result);
  if (failed.length > 0)
    throw new UserError(
      `The endpoints of ${failed.join(', ')} cannot be made, so all webhooks stay stopped: "partner pause" them, and run "webhooks start" again.`,
    );
  return {
    json: { webhooks: 'started', partners, events, seconds },
    text: `Webhooks are sent again, to ${partnersText(partners)}, after ${seconds} s; events sent for what was kept: ${events}.\n`,
  };
};

const partnersText = (count: number) => (count === 1 ? '1 partner' : `${count} partners`);

const sentences: Record<StageWebhookRefusal, string> = {
  'stopped-again': 'Somebody stopped all webhooks once more meanwhile: they stay stopped.',
  'started-meanwhile': 'Somebody started all webhooks meanwhile: run "webhooks stop" again to stop them.',
};

const valueOrSentence = <Value>(outcome: Outcome<Value, StageWebhookRefusal>): Value => {
  if (outcome.ok) return outcome.value;
  throw new UserError(sentences[outcome.reason]);
};

/** Runs the work with a bar that follows it, and measures it in whole seconds. */
const timed = async <Result>(
  context: CommandContext,
  work: (deps: StageWebhookDeps) => Promise<Result>,
): Promise<{ result: Result; seconds: number }> => {
  const { now } = context.deps;
  const startedAtMs = now().getTime();
  const progress = progressOf(context.terminal, { oneIn: 10 });
  try {
    const result = await work({ ...webhookDepsOf(context), step: progress.update });
    return { result, seconds: Math.round((now().getTime() - startedAtMs) / 1000) };
  } finally {
    progress.stop();
  }
};
