import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { covers } from '../../functions/shared/domain/ownership/grant.ts';
import { createDebounceRowStore } from '../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../functions/shared/store/debounce/delivery-log.ts';
import { getTransactions } from '../../functions/shared/store/transactions/get.ts';
import { createClient } from '../../partner-kit/src/index.ts';
import type { StageClock } from '../clock/stage-clock.ts';
import { openTransactionsOf } from '../demo/load.ts';
import type { Feed } from '../feed/feed.ts';
import type { StackFile } from '../stack-file.ts';
import type { Conditions } from '../webhook-receiver/condition.ts';
import { createActions } from './actions.ts';
import { createCheckoutPage } from './checkout-page.ts';
import { createConsole, type HandleConsole } from './console.ts';
import { createLiveView } from './live-view.ts';
import { followChanges } from './shown.ts';
import { createViewReader } from './view.ts';

export type StartConsoleDeps = {
  stack: StackFile;
  feed: Feed;
  clock: StageClock;
  documents: DynamoDBDocumentClient;
  conditions: Conditions;
  warn: (sentence: string) => void;
};

/** The least time between two reads of the view. */
const viewPauseMs = 200;
/** Transactions of each demo partner that are shown before any change. */
const shownOfEach = 5;

/** Starts the console of a running stage, with its stores, demo partners and receiver. */
export const startConsole = (deps: StartConsoleDeps): HandleConsole => {
  const { stack, feed, clock, documents, conditions, warn } = deps;
  const { partners, baseUrl, authUrl } = stack;
  const { TRANSACTIONS_TABLE = '', DEBOUNCE_TABLE = '', DORMANCY_SECONDS } = stack.operator.variables;
  const access = { documents, transactionsTable: TRANSACTIONS_TABLE };
  const debounce = { ...access, debounceTable: DEBOUNCE_TABLE, clock: clock.now };
  const readView = createViewReader({
    ...{ now: clock.now, aheadMs: clock.aheadMs, partners, conditionOf: conditions.of },
    dormancyMs: Number(DORMANCY_SECONDS) * 1000,
    shown: followChanges(feed, () => firstOf(partners)),
    transactions: (uuids) => getTransactions(access, uuids),
    debounceRows: createDebounceRowStore(debounce),
    deliveryLog: createDeliveryLogStore(debounce),
  });
  const clients = partners.map(({ name, grants, clientId, clientSecret }) => {
    const options = { baseUrl, authUrl, clientId, clientSecret, clock: () => clock.now().getTime() };
    return { name, grants, client: createClient(options) };
  });
  const clientFor = async (uuid: string) => {
    const stored = (await getTransactions(access, [uuid])).get(uuid);
    return clients.find(({ grants }) => stored && covers(grants, stored.transaction.ndMeta))?.client;
  };
  const clientOf = (partner: string) => clients.find(({ name }) => name === partner)?.client;
  return createConsole({
    token: randomBytes(24).toString('base64url'),
    feed,
    view: createLiveView({ feed, read: readView, warn, pause: () => pause(viewPauseMs) }),
    act: createActions({
      ...{ clientOf, clientFor, checkoutPage: createCheckoutPage(stack), conditions, clock },
      emit: feed.emit,
    }),
  });
};

const firstOf = (partners: StackFile['partners']): string[] =>
  partners.flatMap((partner) => openTransactionsOf(partner).slice(0, shownOfEach));
