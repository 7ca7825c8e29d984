import type { NewPayment, PartnerRecord, Payment } from '../types.ts';
import { type Answer, answerOf, callAsk, type WriteOptions, writeAsk } from './answer.ts';
import { createApi } from './api.ts';
import { createEvents, type EventsClient } from './events.ts';
import { createSecret, type SecretClient } from './secret.ts';
import { type CallOptions, type ClientOptions, settingsOf } from './settings.ts';
import { createTransactions, type TransactionsClient } from './transactions.ts';
import { createWebhook, type WebhookClient } from './webhook.ts';

/** The service's API for a partner. */
export type Client = {
  readonly transactions: TransactionsClient;
  readonly payments: {
    /** Records a payment. One with status 1 completes the transaction. */
    create(payment: NewPayment, options?: WriteOptions): Promise<Answer<Payment>>;
  };
  readonly partner: {
    /** What the service knows of you. */
    retrieve(options?: CallOptions): Promise<Answer<PartnerRecord>>;
  };
  readonly events: EventsClient;
  readonly webhook: WebhookClient;
  readonly secret: SecretClient;
};

/** Creates a client. It sends nothing until it is used, and can be used as long as the process runs. */
export const createClient = (options: ClientOptions): Client => {
  const settings = settingsOf(options);
  const api = createApi(settings);
  return {
    transactions: createTransactions(api, settings),
    payments: {
      create: async (body, options = {}) =>
        answerOf<Payment>(
          await api({ ...writeAsk(options, settings), method: 'POST', target: '/api/v2/payment', body }),
        ),
    },
    partner: {
      retrieve: async (options = {}) =>
        answerOf<PartnerRecord>(await api({ ...callAsk(options), method: 'GET', target: '/api/v2/partner' })),
    },
    events: createEvents(api, settings),
    webhook: createWebhook(api, settings),
    secret: createSecret(settings),
  };
};
