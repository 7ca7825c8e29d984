import type { Command } from 'commander';
import type { WebhookChange } from '../../functions/shared/domain/webhook-changes.ts';
import type { NoteDone } from '../../functions/shared/store/partners/audit-log.ts';
import type { OperatorRights } from '../../lib/constructs/people/operator-rights.ts';
import type { Caller } from './caller.ts';
import type { OperatorDeps } from './deps.ts';
import type { RecordedCommand } from './restore/by-hand.ts';
import type { StageChoice } from './stage.ts';
import type { Terminal } from './terminal.ts';
import { UserError } from './user-error.ts';

/** The options of every command. */
export type GlobalOptions = StageChoice & { json?: boolean; as?: string; yes?: boolean };

/** The output of a command: a JSON document for programs, text for people. */
export type CommandResult = { json: unknown; text: string; exitCode?: number };

/** Wraps a command's work, a function of options and arguments, as an action for commander. */
export type RunCommand = <Options extends object, First extends string | undefined = string>(
  work: (context: CommandContext, options: Options, first: First, second: string) => Promise<CommandResult>,
) => (...given: unknown[]) => Promise<void>;

/** A group of commands: adds them to the program, and declares the rights that they need together (RUN-9). */
export type CommandGroup = { add: (program: Command, run: RunCommand) => void; rights: OperatorRights };

/** The rights that every command needs to write its audit record. */
export const recordRights: OperatorRights = {
  'Audit/AUDIT#*': ['PutItem'],
  'Audit/DONE#*': ['PutItem'],
  'Partners/AUDIT#*': ['PutItem'],
};

/** The dependencies of one run of a command. */
export type CommandContext = {
  deps: OperatorDeps;
  terminal: Terminal;
  /** The person named by `--as`, or the user of the operating system. */
  who: string;
  /** Writes the audit record. Commands call it before they change anything (S-28). */
  record: (command: RecordedCommand, args: Record<string, unknown>) => Promise<void>;
  /** Marks the audit records as done: before the command waits for the service, or else at its end (DR-12). */
  noteDone: () => Promise<void>;
  /** Asks before a change that cannot be undone: the person types the name, or passes --yes (TH-22). */
  confirm: (consequence: string, name: string) => Promise<void>;
};

/** The author and time that a change of a webhook stores in the partner's record (V2-13). */
export const byOperator = ({ deps }: Pick<CommandContext, 'deps'>): WebhookChange => ({
  by: 'operator',
  atMs: deps.now().getTime(),
});

/** Builds the context of one run. */
export const openContext = (
  options: GlobalOptions,
  { deps, terminal, user, caller }: { deps: OperatorDeps; terminal: Terminal; user: string; caller: Caller },
): CommandContext => {
  const notes: NoteDone[] = [];
  return {
    deps,
    terminal,
    who: options.as ?? user,
    record: async (command, args) => {
      const note = await deps.audit.append({
        who: options.as ?? user,
        caller: caller.arn,
        command,
        arguments: args,
        atMs: deps.now().getTime(),
      });
      notes.push(note);
    },
    noteDone: async () => {
      for (const note of notes.splice(0)) await note();
    },
    confirm: async (consequence, name) => {
      if (options.yes) return;
      if (!terminal.isInteractive) {
        throw new UserError(`${consequence} There is no terminal to confirm this: add --yes to do it.`);
      }
      const typed = await terminal.ask(`${consequence} Type "${name}" to do it: `);
      if (typed !== name) throw new UserError('Nothing was changed: the typed name is another one.');
    },
  };
};
