import type { AttackDeps } from '../attack/target.ts';
import type { Settings, SettingsOptions, Surroundings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** What the command runs with; chance, time and the network are passed in. */
export type PartnerDeps = Surroundings &
  Omit<AttackDeps, 'post' | 'readState'> & {
    terminal: Terminal;
    /** Of a clock that only goes forward. */
    nowMs: () => number;
    fetch: typeof fetch;
    /** Resolves when a command that goes on for ever is asked to end. */
    untilStopped: () => Promise<unknown>;
    /** How long a receiver is waited for: as long as the service waits, except in tests. */
    limitMs?: number;
  };

/** Options that every command has. */
export type GlobalOptions = SettingsOptions & { json?: boolean };

/** What a command works with. */
export type CommandContext = { deps: PartnerDeps; settings: Settings; isJson: boolean };

/** What a command has to say: for people, and for programs. */
export type CommandResult = { text: string; json?: unknown; exitCode?: number };

/** Wraps the work of a command for commander. */
export type RunCommand = <Options>(
  work: (context: CommandContext, options: Options, ...args: never[]) => Promise<CommandResult>,
) => (...given: unknown[]) => Promise<void>;
