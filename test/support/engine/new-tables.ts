import { addTables, clientOf, documentsOf, type TestEngine } from './engine.ts';
import { type ChooseFault, injectFaults } from './faults.ts';

let sets = 0;

/**
 * Tables of their own, all or `only` some, as stores take them; nobody waits before a repetition. Requests meet the faults
 * that are chosen for them.
 */
export const newTables = async (
  engine: TestEngine,
  only?: readonly string[],
  choose: ChooseFault = () => undefined,
) => {
  sets += 1;
  const suffix = `-of-test-${sets}`;
  await addTables(engine.client, suffix, only);
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, choose);
  return {
    documents,
    transactionsTable: `Transactions${suffix}`,
    listingTable: `Listing${suffix}`,
    requestsTable: `Requests${suffix}`,
    debounceTable: `Debounce${suffix}`,
    partnersTable: `Partners${suffix}`,
    auditTable: `Audit${suffix}`,
    membersOf: async () => [],
    retryDelays: { random: () => 0, sleep: async () => {} },
  };
};
