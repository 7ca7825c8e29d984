import { randomBytes } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import { succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import type { Partner, StoredSecret } from '../../../functions/shared/domain/partner.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createPipeline, type PipelineDeps } from '../../../functions/v2-partner/pipeline.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { createMemoryPartners, directoryOver } from '../memory/partners.ts';
import { createMemoryRequests } from '../memory/requests.ts';
import { createMemoryStorefronts } from '../memory/storefronts.ts';
import { createMemoryTransactions } from '../memory/transactions.ts';
import { createMemoryAudit, createMemoryEndpointRequests, createMemoryOwnChanges } from './own-changes.ts';
import { partsOfV2, tokensWith } from './stand-ins.ts';
import { read } from './v2-read.ts';

/** `json` is a body; with it, the method is POST unless another is named. */
type Asking = Ask & { as?: string | undefined; json?: unknown };

const startsAt = '2026-03-01T12:00:00.000Z';

/**
 * A partner's own endpoints over stores in memory. A token is the client id with the OAuth scopes before it, such as
 * `write.<id>`; one without any has all of them.
 */
export const aV2Partner = async ({
  transactions = [],
  partners = [aPartner()],
  secrets = [aSecret()],
  endpoint,
  registered = [],
  ...overrides
}: {
  registered?: readonly Storefront[];
  transactions?: readonly NewTransaction[];
  partners?: readonly Partner[];
  secrets?: StoredSecret[];
  /** What was reached for each of the partners. */
  endpoint?: EndpointStatus;
} & Partial<Omit<PipelineDeps, 'partners'>> = {}) => {
  const time = { now: new Date(startsAt) };
  const clock = () => time.now;
  const requests = createMemoryRequests();
  const stores = { requests, transactions: createMemoryTransactions(requests) };
  const partnerStore = createMemoryPartners(
    partners.map((partner) => ({ partner, secrets, ...(endpoint && { endpoint }) })),
  );
  await stores.transactions.createMany(transactions);
  const storefronts = createMemoryStorefronts();
  for (const storefront of registered) await storefronts.register(storefront);
  const own = createMemoryOwnChanges(partnerStore, stores.requests);
  const audit = createMemoryAudit();
  const endpointRequests = createMemoryEndpointRequests();
  const pipeline = createPipeline({
    ...partsOfV2(),
    replaceWebhook: own.replaceWebhook,
    ...{ audit, endpointRequests, endpointRules: { allowsLoopback: false }, random: randomBytes },
    // Events are for the service tests of the log.
    sentLog: { linesOf: async () => ({ lines: [] }), sendingsOf: async () => ({ lines: [] }) },
    table: { backlogOf: async () => ({ rows: [] }) },
    putPass: async () => succeed(undefined),
    askForTest: async () => {},
    stage: 'local',
    requests: stores.requests,
    directory: directoryOver(partnerStore),
    storefronts,
    transactionsOf: allOf(stores.transactions),
    partners: partnerStore,
    verify: tokensWith('read', 'write', 'webhook'),
    clock,
    ...overrides,
  });
  const ask = async (target: string, { as = partners[0]?.clientId, json, headers, ...more }: Asking = {}) => {
    const type = json !== undefined && { 'Content-Type': 'application/json' };
    const asked = { ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }), ...more };
    const event = httpEvent(target, {
      ...asked,
      headers: { Authorization: `Bearer ${as}`, ...type, ...headers },
    });
    return read(await pipeline(event, {} as Context));
  };
  const { steps } = own;
  return { ...stores, partners: partnerStore, steps, audit, endpointRequests, time, ask, get: ask };
};

/** Many transactions at once, as the table answers. */
const allOf =
  ({ byUuid }: { byUuid: (uuid: string) => Promise<StoredTransaction | undefined> }) =>
  async (uuids: readonly string[]) => {
    const found = await Promise.all([...new Set(uuids)].map(byUuid));
    return new Map(found.flatMap((one) => (one ? [[one.transaction.uuid, one] as const] : [])));
  };
