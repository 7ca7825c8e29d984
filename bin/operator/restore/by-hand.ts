import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';
import type { ForPerson } from './adoption.ts';
import { commandLineOf, shellWord } from './command-line.ts';
import { revokingCommandOf, type revokingCommands } from './revoking-commands.ts';

/** Commands that give a right or issue a secret: only a person repeats them. */
const givingCommands = [
  'partner create',
  'partner enable',
  'partner grant',
  'partner set-oauth-scopes',
  'partner set-webhook',
  'partner resume',
  'partner rotate-secret',
  'partner rotate-signature',
  'storefront create',
  'keys rotate',
  'webhooks start',
] as const;

/** Every command that writes an audit record. */
export type RecordedCommand =
  | keyof typeof revokingCommands
  | (typeof givingCommands)[number]
  // These change no partner, or an adoption does their work in any case.
  | ('customer erase' | 'customer export' | 'customer reapply' | 'events resend')
  | ('listing repair' | 'partner repair' | 'partner revoke-tokens' | 'restore adopt' | 'session revoke')
  | ('stage start' | 'stage stop')
  | ('transactions export' | 'transactions import' | 'transactions restore');

type LostRecord = AuditRecord & { isDone: boolean };

/**
 * The commands that a person runs again: those that give something, and those that may not have ended (DR-7, DR-12). A command
 * that a later one may have undone is named without its command line.
 */
export const commandsByHand = (records: readonly LostRecord[], firstLostMs: number): ForPerson[] =>
  records.flatMap((record, index) => {
    if (!isForPerson(record)) return [];
    const end = records.slice(index + 1).find((later) => mayEnd(later, record));
    const { command, arguments: args } = record;
    const about = `${new Date(record.atMs).toISOString()}${doubtOf(record, firstLostMs)}`;
    if (!end) return [{ about, command: commandLineOf(record) }];
    // JSON keeps it on one line; quotes keep it unchanged in a shell that does not know comments.
    const held = shellWord(JSON.stringify(args));
    return [{ about: `${about}, "${end.command}" may have ended it: ${command} ${held}` }];
  });

const isForPerson = ({ command, isDone }: LostRecord): boolean =>
  givingCommands.some((giving) => giving === command) ||
  (!isDone && revokingCommandOf(command) !== undefined);

const mayEnd = (later: AuditRecord, earlier: AuditRecord): boolean =>
  later.arguments.name === earlier.arguments.name &&
  revokingCommandOf(later.command)?.ends.some((name) => earlier.command.startsWith(name)) === true;

const doubtOf = ({ isDone, atMs }: LostRecord, firstLostMs: number): string => {
  if (!isDone) return ', possibly not done';
  return atMs < firstLostMs ? ', possibly still in effect' : '';
};
