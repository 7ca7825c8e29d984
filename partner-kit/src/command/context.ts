import type { AttackDeps } from '../attack/target.ts';
import type { Settings, SettingsOptions, Surroundings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Dependencies of the command. Randomness, time and the network are passed in. */
export type PartnerDeps = Surroundings &
  Omit<AttackDeps, 'post' | 'readState'> & {
    terminal: Terminal;
    /** A monotonic clock. */
    nowMs: () => number;
    fetch: typeof fetch;
    /** Resolves when a command that runs until it is stopped must end. */
    untilStopped: () => Promise<unknown>;
    /** How long to wait for a receiver: as long as the service, except in tests. */
    limitMs?: number;
  };

/** Options of every command. */
export type GlobalOptions = SettingsOptions & { json?: boolean };

/** What a command works with. */
export type CommandContext = { deps: PartnerDeps; settings: Settings; isJson: boolean };

/** The result of a command, for people and for programs. */
export type CommandResult = { text: string; json?: unknown; exitCode?: number };

/** Wraps the work of a command for commander. */
export type RunCommand = <Options>(
  work: (context: CommandContext, options: Options, ...args: never[]) => Promise<CommandResult>,
) => (...given: unknown[]) => Promise<void>;
