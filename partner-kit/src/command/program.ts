import { Command, CommanderError } from 'commander';
import { isTransactionsError, TokenRefusedError } from '../client/errors.ts';
import { addAttackCommand } from './attack.ts';
import type { CommandContext, GlobalOptions, PartnerDeps, RunCommand } from './context.ts';
import { addEventsCommands } from './events.ts';
import { addListenCommand } from './listen.ts';
import { addSecretCommands } from './secret.ts';
import { readSettings } from './settings.ts';
import { visible } from './terminal.ts';
import { addTransactionCommands } from './transactions.ts';
import { addTriggerCommand } from './trigger.ts';
import { refuseUnknownCommand } from './unknown-command.ts';
import { UserError } from './user-error.ts';
import { addWebhookCommands } from './webhook.ts';
import { addWhoamiCommand } from './whoami.ts';

/** Runs one command and returns its exit code. An error is one sentence, or JSON with --json. */
export const runPartner = async (args: readonly string[], deps: PartnerDeps): Promise<number> => {
  let exitCode = 0;
  const { terminal } = deps;
  const run: RunCommand =
    (work) =>
    async (...given) => {
      // commander passes the arguments, then the options, then the command itself.
      const options = (given.at(-1) as Command).optsWithGlobals() as GlobalOptions;
      const result = await work(
        contextOf(options, deps),
        options as never,
        ...(given.slice(0, -2) as never[]),
      );
      terminal.print(options.json ? jsonText(result.json) : visible(result.text));
      exitCode = result.exitCode ?? 0;
    };
  try {
    await buildProgram(deps, run).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const sentence = visible(toSentence(error));
    if (args.includes('--json')) terminal.print(jsonText({ error: sentence }));
    else terminal.note(`${sentence}\n`);
    return 1;
  }
};

const jsonText = (value: unknown) => (value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`);

const contextOf = (options: GlobalOptions, deps: PartnerDeps): CommandContext => {
  if (options.signature !== undefined)
    deps.terminal.note(
      '--signature is visible in the list of processes: use TRANSACTIONS_WEBHOOK_SIGNATURE instead.\n',
    );
  return { deps, settings: readSettings(options, deps), isJson: options.json ?? false };
};

const buildProgram = ({ terminal }: PartnerDeps, run: RunCommand) => {
  const program = new Command('transactions-partner')
    .description('Read transactions, follow their events, and test a webhook receiver.')
    .option('--json', 'print one JSON document; {"error": "..."} on failure')
    .option('--local', 'the demo partner of the local stage that runs here (.local/stack.json)')
    .option('--partner <name>', 'with --local: name of the demo partner (default: the first)')
    .option('--credentials <file>', 'a JSON file with mode 0600 (default: TRANSACTIONS_CREDENTIALS)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.note, outputError: () => {} })
    .showHelpAfterError(false)
    .exitOverride()
    .addHelpText('beforeAll', refuseUnknownCommand)
    .addHelpText('after', examples);
  addWhoamiCommand(program, run);
  addTransactionCommands(program, run);
  addEventsCommands(program, run);
  addWebhookCommands(program, run);
  addSecretCommands(program, run);
  addListenCommand(program, run);
  addTriggerCommand(program, run);
  addAttackCommand(program, run);
  return program;
};

const examples = `
Credentials come from variables, never from the command line:
  TRANSACTIONS_BASE_URL, TRANSACTIONS_AUTH_URL, TRANSACTIONS_CLIENT_ID, TRANSACTIONS_CLIENT_SECRET,
  TRANSACTIONS_WEBHOOK_SIGNATURE, TRANSACTIONS_WEBHOOK_SOURCE (svc.<stage>.online-payments)
or from a file: {"baseUrl", "authUrl", "clientId", "clientSecret", "webhookSignature", "source"}

Examples:
  transactions-partner whoami --local
  transactions-partner list --status 1 --expand payments
  transactions-partner listen --local
  transactions-partner attack http://localhost:3000/webhooks
  transactions-partner trigger TransactionUpdated http://localhost:3000/webhooks
  transactions-partner attack --local --json`;

const toSentence = (error: unknown): string => {
  if (error instanceof UserError) return error.message;
  if (error instanceof CommanderError) return usageSentence(error);
  if (isTransactionsError(error)) return `${error.message}${adviceFor(error)}${requestIdIn(error)}`;
  const { name, message } = error as Error;
  return `The command failed (${name}): ${message}`;
};

const adviceFor = (error: object): string =>
  error instanceof TokenRefusedError && error.error === 'invalid_client'
    ? ' Check the client id and the secret: a replaced secret ends, and each stage has its own.'
    : '';

/** The request id to quote to the operator. */
const requestIdIn = (error: object): string =>
  'requestId' in error && typeof error.requestId === 'string' ? ` Request id: ${error.requestId}.` : '';

/** Rewords commander's "error: unknown option '--x'". Without a command, the help was printed already. */
const usageSentence = ({ code, message }: CommanderError) => {
  if (code === 'commander.help') return 'Name one of the commands.';
  const text = message
    .replace(/^error: /, '')
    .replace(/\.+$/, '')
    .replaceAll('\n', ' ');
  if (/--(client-)?secret/.test(text))
    return 'A secret on the command line is visible in the list of processes, so it is not accepted: export TRANSACTIONS_CLIENT_SECRET.';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. "--help" explains each command.`;
};
