import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { nodeHandler } from '../webhook/node-style.ts';
import { readWith } from '../webhook/read-back.ts';
import { createReceiver, type Receiver } from '../webhook/receiver.ts';
import type { Receipt, Verdict } from '../webhook/verdict.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { needed } from './settings.ts';
import { visible } from './terminal.ts';
import { aboutSource, defaultSource } from './trigger.ts';
import { UserError } from './user-error.ts';
import { wholeNumber } from './whole-number.ts';

/** `listen`: a receiver on this machine that prints each message and what it did with it. */
export const addListenCommand = (program: Command, run: RunCommand): void => {
  program
    .command('listen')
    .description('Receive webhooks on this machine: verify each, and print a line for each.')
    .option('--port <number>', 'port to listen on; 0 for a free one', '9000')
    .option('--source <source>', aboutSource)
    .option(
      '--signature <value>',
      'instead of TRANSACTIONS_WEBHOOK_SIGNATURE; visible in the list of processes',
    )
    .addHelpText('after', examples)
    .action(run(listen));
};

const examples = `
It remembers until Ctrl-C what it has taken. With credentials of the API it closes gaps by reading; without, each element
has a version of its own. A tunnel of yours brings messages of a deployed stage here.

Examples:
  transactions-partner listen
  transactions-partner listen --local --port 9001
  transactions-partner listen --json | jq .verdict`;

const listen = async (context: CommandContext, { port }: { port: string }): Promise<CommandResult> => {
  const { deps } = context;
  const receiver = receiverOf(context);
  const receive: Receiver['receive'] = async (incoming) => {
    const verdict = await receiver.receive(incoming);
    say(verdict, context);
    return verdict;
  };
  const server = createServer(nodeHandler({ ...receiver, receive }));
  await listening(server.listen(wholeNumber('--port', port, { least: 0, most: 65_535 }), '127.0.0.1'), port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  deps.terminal.note(`Listening on ${url} until Ctrl-C.\n`);
  await deps.untilStopped();
  server.close();
  server.closeAllConnections();
  await receiver.settled();
  return { text: '' };
};

const receiverOf = (context: CommandContext): Receiver => {
  const { settings, deps } = context;
  return createReceiver({
    signatures: needed(settings, 'webhookSignature'),
    source: settings.source ?? defaultSource,
    apply: () => {},
    onFault: (fault) => deps.terminal.note(visible(`${fault}\n`)),
    ...(settings.clientSecret !== undefined && { readBack: readWith(clientOf(context)) }),
    afterwards: ({ kind, uuid }) => {
      if (kind === 'state' || kind === 'gone') print({ transaction: uuid, verdict: readings[kind] }, context);
    },
  });
};

const readings = { state: 'read back', gone: 'read again: the API does not show it' };

const listening = async (server: ReturnType<typeof createServer>, port: string) => {
  try {
    await once(server, 'listening');
  } catch {
    throw new UserError(`Port ${port} is taken: name another one with --port.`);
  }
};

/** A refused message is not read. */
const say = ({ status, receipt }: Verdict, context: CommandContext) =>
  print(receipt ? lineOf(receipt) : { verdict: `refused with ${status}` }, context);

const lineOf = (receipt: Receipt): Line => {
  const { type, uuid, changed, range, id } = receipt;
  return {
    ...{ type, ...range, id, verdict: verdictOf(receipt) },
    ...(uuid !== undefined && { transaction: uuid, changed }),
  };
};

/** Without credentials the API is not read, and the partner has to do it. */
const verdictOf = ({ outcome, link, isDeletion }: Receipt): string => {
  const reason = link === 'starts-in-the-middle' ? 'new to you' : 'gap';
  if (outcome === 'unread') return `${reason}: reads the API`;
  const isWhole = isDeletion || (link !== 'starts-in-the-middle' && link !== 'gap');
  return isWhole || outcome !== 'applied' ? verdicts[outcome] : `applied; ${reason}: read the API`;
};

const verdicts: Record<Exclude<Receipt['outcome'], 'unread'>, string> = {
  applied: 'applied',
  duplicate: 'duplicate',
  older: 'older',
  'passed-by': 'passed by',
};

type Line = {
  type?: string;
  transaction?: string;
  changed?: readonly string[];
  from?: number;
  to?: number;
  id?: string;
  verdict: string;
};

const print = (line: Line, { deps, isJson }: CommandContext) => {
  const at = deps.now().toISOString();
  deps.terminal.print(
    isJson ? `${JSON.stringify({ at, ...line })}\n` : visible(`${textOf({ at, ...line })}\n`),
  );
};

const textOf = ({ at, type, transaction, id, changed, from, to, verdict }: Line & { at: string }): string =>
  [
    at.slice(11, 19),
    type ?? '',
    transaction ?? '',
    ...(changed === undefined || changed.length === 0 ? [] : [changed.join(', ')]),
    ...(to === undefined ? [] : [`${from} → ${to}`]),
    ...(id === undefined ? [] : [`id ${id.slice(0, 8)}`]),
    verdict,
  ]
    .filter((part) => part !== '')
    .join('  ');
