import type { OperatorDeps } from './deps.ts';
import type { WebhookDeps } from './partners/webhooks.ts';
import type { StageChoice } from './stage.ts';
import type { Terminal } from './terminal.ts';
import { UserError } from './user-error.ts';

/** Options that every command takes. */
export type GlobalOptions = StageChoice & { json?: boolean; as?: string; yes?: boolean };

/** What a command answers: a JSON document for programs, text for people. */
export type CommandResult = { json: unknown; text: string; exitCode?: number };

/** Turns the work of a command, given its options and its arguments, into what commander calls. */
export type RunCommand = <Options extends object, First extends string | undefined = string>(
  work: (context: CommandContext, options: Options, first: First, second: string) => Promise<CommandResult>,
) => (...given: unknown[]) => Promise<void>;

/** One run of one command. */
export type CommandContext = {
  deps: OperatorDeps;
  terminal: Terminal;
  /** S-28: called before the change. */
  record: (command: string, args: Record<string, unknown>) => Promise<void>;
  /** TH-22: what cannot be taken back is done only when its name was typed, or with --yes. */
  confirm: (consequence: string, name: string) => Promise<void>;
};

export const openContext = (
  options: GlobalOptions,
  { deps, terminal, user }: { deps: OperatorDeps; terminal: Terminal; user: string },
): CommandContext => ({
  deps,
  terminal,
  record: (command, args) =>
    deps.audit.append({
      who: options.as ?? user,
      command,
      arguments: args,
      atMs: deps.now().getTime(),
    }),
  confirm: async (consequence, name) => {
    if (options.yes) return;
    if (!terminal.isInteractive) {
      throw new UserError(`${consequence} There is no terminal to confirm this at: add --yes to do it.`);
    }
    const typed = await terminal.ask(`${consequence} Type "${name}" to do it: `);
    if (typed !== name) throw new UserError('Nothing was changed: another name was typed.');
  },
});

/** Webhooks take their time, and say so beside the answer. */
export const webhookDepsOf = ({ deps, terminal }: CommandContext): WebhookDeps => ({
  ...deps,
  tell: terminal.note,
});
