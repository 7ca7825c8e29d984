import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import type { OwnSecretDeps } from '../../../functions/issue-token/own-secret.ts';
import { refuse } from '../../../functions/shared/domain/outcome.ts';
import type { SignatureStep } from '../../../functions/shared/domain/partner.ts';
import type {
  EndpointMessage,
  EndpointRequests,
} from '../../../functions/shared/outbound/endpoint-requests.ts';
import type { AuditRecord, AuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import type { IdempotencyRecord } from '../../../functions/shared/store/requests/request-store.ts';
import type { WebhookDeps } from '../../../functions/v2-partner/webhook.ts';
import type { MemoryRequests } from '../memory/requests.ts';

/** What partners change themselves over stores in memory, and every step of a signature that was taken. */
export const createMemoryOwnChanges = (
  partners: Pick<PartnerStore, 'update' | 'replaceSecrets'>,
  requests: MemoryRequests,
): Pick<WebhookDeps, 'replaceWebhook'> &
  Pick<OwnSecretDeps, 'replaceSecrets'> & { steps: SignatureStep[] } => {
  const steps: SignatureStep[] = [];
  const isUsed = (record: IdempotencyRecord | undefined) => record !== undefined && requests.holds(record);
  return {
    steps,
    replaceWebhook: async (change, { signature, record }) => {
      if (isUsed(record)) return refuse('key-used');
      const updated = await partners.update(change);
      if (!updated.ok) return refuse('changed-meanwhile');
      if (signature) steps.push(signature);
      if (record) requests.put(record);
      return { ok: true, value: undefined };
    },
    replaceSecrets: async (clientId, change, record) => {
      if (isUsed(record)) return refuse('key-used');
      const replaced = await partners.replaceSecrets(clientId, change);
      if (replaced.ok && record) requests.put(record);
      return replaced;
    },
  };
};

/** Audit records in memory, with the commands that came to their end. */
export const createMemoryAudit = (): AuditStore & { records: AuditRecord[]; done: string[] } => {
  const records: AuditRecord[] = [];
  const done: string[] = [];
  return {
    records,
    done,
    append: async (record) => {
      records.push(record);
      return async () => {
        done.push(record.command);
      };
    },
  };
};

/** Who was woken to look at its endpoint. */
export const createMemoryEndpointRequests = (): EndpointRequests & { sent: EndpointMessage[] } => {
  const sent: EndpointMessage[] = [];
  return {
    sent,
    send: async (messages) => {
      sent.push(...messages);
    },
  };
};
