import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';
import type { PartnerChange, SignatureStep } from '../../domain/partner.ts';
import { failedConditionIn } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { PutStatement, Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { signatureKey } from './keys.ts';
import { type SecretsChange, secretUpdates, webhookUpdate } from './record-updates.ts';
import { signatureUpdate } from './signature-update.ts';

/** `changed-meanwhile`: the record is not as it was read. `key-used`: this `Idempotency-Key` has a record already. */
type Written = Outcome<undefined, 'changed-meanwhile' | 'key-used'>;

/**
 * Changes of partners' own records (V2-13). Each is one atomic write with the record of its `Idempotency-Key` (WR-1),
 * and reads no value of a signature. Neither the role nor the written attributes include grants, OAuth scopes or
 * `enabled` (S-80).
 */
export type OwnChanges = {
  replaceWebhook: (
    change: PartnerChange,
    more: {
      signature?: SignatureStep;
      /** What happens to the partner's events with the change, and only with it. */
      statements?: readonly Statement[];
      beside?: PutStatement;
    },
  ) => Promise<Written>;
  replaceSecrets: (
    clientId: string,
    change: SecretsChange,
    more: { beside?: PutStatement },
  ) => Promise<Written>;
};

/** The changes over the Partners table. */
export const createOwnChanges = ({
  documents,
  partnersTable: TableName,
  retryDelays,
}: TableAccess<'partnersTable'>): OwnChanges => {
  /** DynamoDB recognises a write that is repeated after a lost answer by its token. */
  const write = async (changes: Statement[], beside: PutStatement | undefined): Promise<Written> => {
    const TransactItems = beside ? [...changes, { Put: beside }] : changes;
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
    const failed = await failedConditionIn(withRetries(() => documents.send(command), retryDelays));
    if (failed === undefined) return succeed(undefined);
    return refuse(failed === changes.length ? 'key-used' : 'changed-meanwhile');
  };

  return {
    replaceWebhook: (change, { signature, statements = [], beside }) => {
      const Key = signatureKey(change.after.clientId);
      const step = signature && { Update: { TableName, Key, ...signatureUpdate(signature) } };
      return write([webhookUpdate(TableName, change), ...(step ? [step] : []), ...statements], beside);
    },
    replaceSecrets: (clientId, change, { beside }) =>
      write(secretUpdates(TableName, clientId, change), beside),
  };
};
