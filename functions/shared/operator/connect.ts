import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { systemClock } from '../runtime/clock.ts';
import { createAuditStore } from '../store/audit-store.ts';
import { createDocumentClient } from '../store/document-client.ts';
import { createEstateStore } from '../store/estate-table.ts';
import { createSecretReader, createSecretStore } from '../store/key-secrets.ts';
import { createListingAuditor } from '../store/listing-audit.ts';
import { createNumericIds } from '../store/numeric-ids-table.ts';
import { createPartnerStore } from '../store/partner-table.ts';
import { createTransactionReader } from '../store/transaction-reader.ts';
import { createTransactionWalk } from '../store/transaction-walk.ts';
import { createTransactionWriter } from '../store/transaction-writer.ts';
import type { OperatorDeps } from './operator-deps.ts';
import type { Stage } from './stage.ts';

/** The stores of one stage. Its endpoints, where it names some, are a local stage's, which takes any credentials. */
export const connect = ({ endpoints, tables, pepperSecret }: Stage): OperatorDeps => {
  const local = { region: 'eu-west-2', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const documents = createDocumentClient(endpoints ? { ...local, endpoint: endpoints.dynamodb } : {});
  const secrets = new SecretsManagerClient(endpoints ? { ...local, endpoint: endpoints.secretsmanager } : {});
  const estate = createEstateStore(documents, tables.partners);
  const places = { documents, transactionsTable: tables.transactions, listingTable: tables.listing };
  const { byUuid } = createTransactionReader({ ...places, estateOf: async () => [] });
  return {
    partners: createPartnerStore(documents, tables.partners),
    estate,
    transactions: { byUuid, ...createTransactionWriter(places), ...createTransactionWalk(places) },
    ids: createNumericIds(places),
    listing: createListingAuditor(places),
    audit: createAuditStore(documents, tables.partners),
    pepper: createSecretReader(createSecretStore(secrets), pepperSecret, systemClock),
    now: systemClock,
    random: randomBytes,
  };
};
