import type { Command } from 'commander';
import type { WebhookChange } from '../../functions/shared/domain/webhook-changes.ts';
import type { NoteDone } from '../../functions/shared/store/partners/audit-log.ts';
import type { OperatorRights } from '../../lib/operator-rights.ts';
import type { Caller } from './caller.ts';
import type { OperatorDeps } from './deps.ts';
import type { RecordedCommand } from './restore/by-hand.ts';
import type { StageChoice } from './stage.ts';
import type { Terminal } from './terminal.ts';
import { UserError } from './user-error.ts';

/** Options that every command takes. */
export type GlobalOptions = StageChoice & { json?: boolean; as?: string; yes?: boolean };

/** The output of a command: a JSON document for programs, text for people. */
export type CommandResult = { json: unknown; text: string; exitCode?: number };

/** Wraps the work of a command, which takes its options and arguments, as an action for commander. */
export type RunCommand = <Options extends object, First extends string | undefined = string>(
  work: (context: CommandContext, options: Options, first: First, second: string) => Promise<CommandResult>,
) => (...given: unknown[]) => Promise<void>;

/** A group of commands: how the program gets them, and what all of them together may do at a stage (RUN-9). */
export type CommandGroup = { add: (program: Command, run: RunCommand) => void; rights: OperatorRights };

/** What a command asks for that leaves a record, whatever else it does. */
export const recordRights: OperatorRights = {
  'Audit/AUDIT#*': ['PutItem'],
  'Audit/DONE#*': ['PutItem'],
  'Partners/AUDIT#*': ['PutItem'],
};

/** What one run of one command works with. */
export type CommandContext = {
  deps: OperatorDeps;
  terminal: Terminal;
  /** Who runs the command: the person that it names, or the user of the operating system. */
  who: string;
  /** Writes the audit record. Commands call it before they change anything (S-28). */
  record: (command: RecordedCommand, args: Record<string, unknown>) => Promise<void>;
  /** Notes that what was recorded is done: before a command waits for the service, and at its end at the latest (DR-12). */
  noteDone: () => Promise<void>;
  /** Asks before a change that cannot be undone: the person types the name, or passes --yes (TH-22). */
  confirm: (consequence: string, name: string) => Promise<void>;
};

/** What a change of a webhook leaves in the record (V2-13). */
export const byOperator = ({ deps }: Pick<CommandContext, 'deps'>): WebhookChange => ({
  by: 'operator',
  atMs: deps.now().getTime(),
});

/** Builds the context of one run from its options. */
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
        throw new UserError(`${consequence} There is no terminal to confirm this at: add --yes to do it.`);
      }
      const typed = await terminal.ask(`${consequence} Type "${name}" to do it: `);
      if (typed !== name) throw new UserError('Nothing was changed: another name was typed.');
    },
  };
};
