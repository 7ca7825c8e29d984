import type { NextSignature, Webhook, WebhookTestReceipt } from '../types.ts';
import { type Answer, answerOf, callAsk, type WriteOptions, writeAsk } from './answer.ts';
import type { Api } from './api.ts';
import type { CallOptions, Settings } from './settings.ts';

/** Your own webhook. Reading takes the OAuth scope `nop2/read`, changes `nop2/webhook`. */
export type WebhookClient = {
  retrieve(options?: CallOptions): Promise<Answer<Webhook>>;
  /** The address is checked in the background: `retrieve` tells what came of it. The former one serves until then. */
  set(url: string, options?: WriteOptions): Promise<Answer<Webhook>>;
  /** Events are kept until it is resumed. */
  pause(options?: WriteOptions): Promise<Answer<Webhook>>;
  resume(options?: WriteOptions): Promise<Answer<Webhook>>;
  /** Nothing is sent any more, and what was kept is not sent either. */
  remove(options?: CallOptions): Promise<Pick<Answer<never>, 'requestId'>>;
  /** Has a WebhookTest sent to it. */
  test(options?: WriteOptions): Promise<Answer<WebhookTestReceipt>>;
  /**
   * Makes the next signature, which messages carry beside the present one. It is in this answer alone, so the call is never
   * repeated by itself: where no answer came, call again, and the value that was lost is forgotten.
   */
  announceSignature(options?: CallOptions): Promise<Answer<NextSignature>>;
  /** The next signature counts from now on. */
  switchSignature(options?: WriteOptions): Promise<Answer<Webhook>>;
};

const target = '/api/v2/webhook';

export const createWebhook = (api: Api, settings: Settings): WebhookClient => {
  const write = async (method: 'PATCH' | 'PUT', body: object, options: WriteOptions = {}) =>
    answerOf<Webhook>(await api({ ...writeAsk(options, settings), method, target, body }));
  return {
    retrieve: async (options = {}) =>
      answerOf<Webhook>(await api({ ...callAsk(options), method: 'GET', target })),
    set: (url, options) => write('PUT', { url }, options),
    pause: (options) => write('PATCH', { paused: true }, options),
    resume: (options) => write('PATCH', { paused: false }, options),
    remove: async (options = {}) => {
      const { requestId } = await api({ ...callAsk(options), method: 'DELETE', target });
      return { requestId };
    },
    test: async (options = {}) =>
      answerOf<WebhookTestReceipt>(
        await api({ ...writeAsk(options, settings), method: 'POST', target: `${target}/test` }),
      ),
    announceSignature: async (options = {}) =>
      answerOf<NextSignature>(
        await api({ ...callAsk(options), method: 'POST', target: `${target}/signature` }),
      ),
    switchSignature: (options) => write('PATCH', { signature: 'next' }, options),
  };
};
