import type { OperatorRights } from '../../lib/constructs/people/operator-rights.ts';
import { auditCommands } from './commands/audit.ts';
import { customerCommands } from './commands/customer.ts';
import { eventsCommands } from './commands/events.ts';
import { explainCommands } from './commands/explain.ts';
import { keysCommands } from './commands/keys.ts';
import { listingCommands } from './commands/listing.ts';
import { partnerCommands } from './commands/partner.ts';
import { restoreCommands } from './commands/restore.ts';
import { sessionCommands } from './commands/session.ts';
import { stageCommands } from './commands/stage.ts';
import { storefrontCommands } from './commands/storefront.ts';
import { transactionsCommands } from './commands/transactions.ts';
import { webhooksCommands } from './commands/webhooks.ts';
import { type CommandGroup, recordRights } from './context.ts';

/** Every group of commands by its first word, in the order of `--help`. */
export const commandGroups: Readonly<Record<string, CommandGroup>> = {
  partner: partnerCommands,
  storefront: storefrontCommands,
  transactions: transactionsCommands,
  customer: customerCommands,
  session: sessionCommands,
  events: eventsCommands,
  explain: explainCommands,
  webhooks: webhooksCommands,
  stage: stageCommands,
  listing: listingCommands,
  keys: keysCommands,
  restore: restoreCommands,
  audit: auditCommands,
};

/** The rights of the tool's role: what the command groups declare (RUN-9). */
export const operatorRights: readonly OperatorRights[] = [
  recordRights,
  ...Object.values(commandGroups).map(({ rights }) => rights),
];
