import { createHandler } from '../../../functions/collect-dead-letters/handler.ts';
import type { DeliveryKey, DeliveryState } from '../../../functions/shared/domain/event/delivery.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { aPartner } from '../builders/a-partner.ts';
import { aDeadLetter, busEventText, type Failure } from '../builders/dead-letters.ts';
import { eventOf } from '../builders/sent-events.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';
import { memoryEventStores } from '../memory/event-stores.ts';
import { createMemoryPartners, createMemoryWebhookSwitch, directoryOver } from '../memory/partners.ts';
import { createMemoryTransactions } from '../memory/transactions.ts';
import { aLedgerWorld } from './ledger-world.ts';
import { memoryDeps, operate } from './operator.ts';

/** A partner with a webhook that sees two groups. */
const acme = aPartner({
  clientId: 'P',
  name: 'acme',
  grants: [{ group: 'group-a' }, { group: 'group-b' }],
});
const url = 'https://acme.example/hook';

/** A transaction at version 2, of group-a when its number is odd and of group-b otherwise. */
const transactionOf = (number: number): StoredTransaction => {
  const ndMeta = anOwner({ group: number % 2 === 1 ? 'group-a' : 'group-b' });
  const { elementVersions, ...rest } = aNewTransaction({ uuid: uuidOf(number), ndMeta, customer: {} });
  const updatedAtMs = Date.parse('2026-11-21T13:50:00Z');
  return {
    ...rest,
    version: 2,
    elementVersions: { ...elementVersions, customer: 2 },
    updatedAtMs,
    position: number,
  };
};

/** The operator's tool over a partner with a webhook, its ledger, and the flush that sends what the tool has scheduled. */
export const aWebhookWorld = async (stackFile: string) => {
  const stored = [1, 2, 3].map(transactionOf);
  const ledgerWorld = aLedgerWorld(await memoryEventStores(), { stored });
  const { ledger, cursors, clock, transactions: reader } = ledgerWorld.deps;
  const partners = createMemoryPartners();
  await partners.create({ partner: acme, secrets: [] }, 's'.repeat(64));
  const webhookSwitch = createMemoryWebhookSwitch();
  ledgerWorld.deps.partners = directoryOver(partners, webhookSwitch);
  const whileWaiting: (() => Promise<void>)[] = [];
  const wait = async (ms: number) => {
    ledgerWorld.pass({ seconds: ms / 1000 });
    for (const work of whileWaiting) await work();
  };
  const { deps, bus, records } = memoryDeps({
    ...{ partners, webhookSwitch, ledger, cursors, now: clock, wait },
    transactions: { ...createMemoryTransactions(), ...reader },
  });
  const collect = createHandler({ ledger, clock, log: () => {}, report: () => {} });
  const world = {
    ...{ deps, bus, records, ledgerWorld, whileWaiting, stored },
    run: (args: string[], given = deps) => operate(given, stackFile, ['partner', ...args, '--yes']),
    /** `webhooks …`: all partners at once. */
    runAll: (args: string[]) => operate(deps, stackFile, ['webhooks', ...args, '--yes']),
    json: async (args: string[]) => JSON.parse((await world.run([...args, '--json'])).printed),
    partner: async (): Promise<Partner> => (await partners.byClientId('P')) ?? aPartner({ name: 'gone' }),
    /** An event of one of the three transactions, on its way to the partner. */
    put: async (number: number, state: DeliveryState) => {
      const event = eventOf(stored[number - 1] as StoredTransaction, number === 3 ? 1 : 0);
      await ledgerWorld.put(event, { P: state });
      return { eventId: event.event.eventId, clientId: 'P' };
    },
    /** So many events, one of each version of the first transaction. */
    putMany: async (count: number, state: DeliveryState) => {
      const [first] = stored;
      if (!first) throw new Error('There is no transaction');
      const keys: DeliveryKey[] = [];
      for (let version = 1; version <= count; version += 1) {
        const event = eventOf({ ...first, version }, version - 1, { atMs: first.updatedAtMs + version });
        await ledgerWorld.put(event, { P: state });
        keys.push({ eventId: event.event.eventId, clientId: 'P' });
      }
      stored[0] = { ...first, version: count };
      return keys;
    },
    /** The bus gives up a delivery, by default because its target is gone: the collector reads its dead letter. */
    giveUp: async (
      key: DeliveryKey,
      failure: Failure = { code: 'NO_RESOURCE', message: 'The target does not exist' },
    ) => {
      const { busEventId } = (await ledger.delivery(key)) ?? {};
      const body = busEventText({ ...key, ...(busEventId !== undefined && { busEventId }) });
      await collect({ Records: [aDeadLetter({ ...failure, body })] });
    },
    /** State and reason of each delivery, by transaction. */
    states: async () => {
      const found: [number, string][] = [];
      for await (const { uuid, state, reason } of ledger.deliveriesOfPartner('P', {})) {
        const number = stored.findIndex(({ transaction }) => transaction.uuid === uuid) + 1;
        found.push([number, [state, reason].filter(Boolean).join(' ')]);
      }
      return Object.fromEntries(found.sort());
    },
    /** How many deliveries are in a state. */
    count: async (state: DeliveryState) => {
      let count = 0;
      for await (const delivery of ledger.deliveriesOfPartner('P', {}))
        if (delivery.state === state) count += 1;
      return count;
    },
    differences: async () => (await deps.endpoints.inspect(await world.partner())).map(({ code }) => code),
    /** Whether messages carry the signatures that the store has. */
    signatures: async () => {
      const { AuthParameters } = bus.connections.get('transactions-local-P') ?? {};
      const [next] = AuthParameters?.InvocationHttpParameters?.HeaderParameters ?? [];
      const kept = await partners.signatureOf('P');
      return {
        isSame: AuthParameters?.ApiKeyAuthParameters?.ApiKeyValue === kept?.signature,
        isNextSame: next?.Value === kept?.next,
        hasNext: kept?.next !== undefined,
        isFirst: kept?.signature === 's'.repeat(64),
      };
    },
  };
  await world.run(['set-webhook', 'acme', '--url', url]);
  return world;
};
export type WebhookWorld = Awaited<ReturnType<typeof aWebhookWorld>>;
