import { Command, CommanderError } from 'commander';
import { keptByNpm } from '../../lib/kept-by-npm.ts';
import { callerOf } from './caller.ts';
import { commandGroups } from './command-groups.ts';
import { type CommandResult, type GlobalOptions, openContext, type RunCommand } from './context.ts';
import type { OperatorDeps } from './deps.ts';
import { readStage, type StageResources } from './stage.ts';
import { type Terminal, visible } from './terminal.ts';
import { refuseUnknownCommand } from './unknown-command.ts';
import { UserError } from './user-error.ts';

/** The surroundings of the tool: terminal, user, and access to a stage. */
export type ProgramOptions = {
  terminal: Terminal;
  /** The operator's name in audit records. */
  user: string;
  /** The local stage's `stack.json`, unless an option names another. */
  stackFile: string;
  /** Environment variables: they show which options npm took for itself, which is refused. */
  environment?: Record<string, string | undefined>;
  connect: (stage: StageResources) => OperatorDeps;
};

/** Runs one command and returns its exit code. An error is printed as a sentence, or as JSON with `--json`. */
export const runOperator = async (
  args: readonly string[],
  programOptions: ProgramOptions,
): Promise<number> => {
  const terminal = withVisibleText(programOptions.terminal);
  let exitCode = 0;
  const run: RunCommand =
    (work) =>
    async (...given) => {
      const options = (given.at(-1) as Command).optsWithGlobals();
      const stage = readStage(options, programOptions.stackFile);
      const deps = programOptions.connect(stage);
      const caller = await callerOf(stage, deps.askCaller);
      const context = openContext(options, { user: programOptions.user, caller, terminal, deps });
      // commander passes the arguments, then the options, then the command itself.
      const [first, second] = given.slice(0, -2);
      const result = await work(context, options as never, first as never, second as never);
      terminal.print(rendered(result, options));
      exitCode = result.exitCode ?? 0;
      await context.noteDone();
    };
  try {
    const program = buildProgram(terminal, run);
    const kept = keptByNpm(optionsOf(program), 'npm run operator -- …', programOptions.environment ?? {});
    if (kept !== undefined) throw new UserError(kept);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const sentence = toSentence(error);
    if (args.includes('--json')) terminal.print(`${JSON.stringify({ error: sentence })}\n`);
    else terminal.note(`${sentence}\n`);
    return 1;
  }
};

/** The options of a command and of all commands below it. */
const optionsOf = ({ options, commands }: Command): { name: string; takesValue: boolean }[] => [
  ...options.map(({ long, required, optional }) => ({
    name: (long ?? '').replace(/^--/, ''),
    takesValue: required || optional,
  })),
  ...commands.flatMap(optionsOf),
];

const rendered = ({ json, text }: CommandResult, options: GlobalOptions) =>
  options.json ? `${JSON.stringify(json, null, 2)}\n` : visible(text);

/** Replaces control characters in notes and questions. Results stay as they are, since programs may read them. */
const withVisibleText = (terminal: Terminal): Terminal => ({
  ...terminal,
  note: (text) => terminal.note(visible(text)),
  ask: (question) => terminal.ask(visible(question)),
});

const buildProgram = (terminal: Terminal, run: RunCommand) => {
  const program = new Command('operator')
    .description(
      'Operate one stage of the transactions service. The audit log records each change before it is made.',
    )
    .option('--json', 'print one JSON document; {"error": "..."} on failure')
    .option('--yes', 'do not ask before a command that cannot be undone')
    .option('--as <who>', 'your name for the audit record, beside your credentials (default: your user name)')
    .option(
      '--stack <file>',
      'stack.json of a running local stage (default: TRANSACTIONS_STACK, or .local/stack.json)',
    )
    .option(
      '--outputs <file>',
      'a deployed stage: the file that "cdk deploy -O <file>" wrote; AWS credentials as usual',
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.note, outputError: () => {} })
    .showHelpAfterError(false)
    .exitOverride()
    .addHelpText('beforeAll', refuseUnknownCommand)
    .addHelpText('after', examples);
  for (const { add } of Object.values(commandGroups)) add(program, run);
  return program;
};

const examples = `
Examples:
  npm run operator -- partner create --name acme --grant group=G1,location=L7
  npm run operator -- storefront list
  npm run operator -- transactions import history.ndjson
  npm run operator -- events list --partner acme --since 2h
  npm run operator -- explain acme 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2
  npm run --silent operator -- listing audit --json
  npm run operator -- partner list --outputs outputs.json`;

/** An error as a sentence, never with a stack trace. */
const toSentence = (error: unknown): string => {
  if (error instanceof UserError) return error.message;
  if (error instanceof CommanderError) return usageSentence(error);
  const { name, message, code } = error as Error & { code?: string };
  if (code === 'ECONNREFUSED') return 'The stage does not answer: is it still running?';
  if (/^AccessDenied/.test(name))
    return `${message} Assume the role of the output OperatorRoleArn: docs/runbook.md, "Working as the operator".`;
  if (name === 'CredentialsProviderError' && message.includes('multi-factor'))
    return `${message} Let the AWS CLI ask for the code: docs/runbook.md, "Working as the operator".`;
  if (name === 'CredentialsProviderError')
    return 'No AWS credentials were found: sign in, or name a profile with AWS_PROFILE.';
  if (/^ExpiredToken/.test(name)) return 'The AWS credentials have expired: sign in again.';
  return `The command failed (${name}): ${message}`;
};

/** Rewords commander's "error: unknown option '--x'" and its hint. After `commander.help`, help is printed already. */
const usageSentence = ({ code, message }: CommanderError) => {
  if (code === 'commander.help') return 'Name a command.';
  const text = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. "--help" explains each command.`;
};
