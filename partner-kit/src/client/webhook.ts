import type { NextSignature, Webhook, WebhookTestReceipt } from '../types.ts';
import { type Answer, answerOf, callAsk, type WriteOptions, writeAsk } from './answer.ts';
import type { Api } from './api.ts';
import type { CallOptions, Settings } from './settings.ts';

/** Your own webhook. Reading takes the OAuth scope `nop2/read`, changes `nop2/webhook`. */
export type WebhookClient = {
  retrieve(options?: CallOptions): Promise<Answer<Webhook>>;
  /** The address is checked in the background: `retrieve` returns the result. The previous one serves until then. */
  set(url: string, options?: WriteOptions): Promise<Answer<Webhook>>;
  /** Events are kept until you resume it. */
  pause(options?: WriteOptions): Promise<Answer<Webhook>>;
  resume(options?: WriteOptions): Promise<Answer<Webhook>>;
  /** Removes the address. Nothing is sent any more, and kept events are not sent either. */
  remove(options?: CallOptions): Promise<Pick<Answer<never>, 'requestId'>>;
  /** Sends a WebhookTest to it. */
  test(options?: WriteOptions): Promise<Answer<WebhookTestReceipt>>;
  /**
   * Makes the next signature, which no message has until you switch to it. Only this answer has it, so the call is not
   * retried automatically. If no answer came, call again: the lost value is replaced.
   */
  announceSignature(options?: CallOptions): Promise<Answer<NextSignature>>;
  /** Makes the next signature the only one. */
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
