import type { DataFolder } from '../data/data-folder.ts';
import type { StackFile } from '../stack-file.ts';
import { type ReceiverOptions, receiverUrlOf, startReceiver } from '../webhook-receiver/receiver.ts';
import { loadDemo, openDemo } from './load.ts';

type DemoOptions = { root: string; port: number; folder: DataFolder; say: (line: string) => void } & Pick<
  ReceiverOptions,
  'conditionOf' | 'clock'
>;

/**
 * The demo data, and the receiver of its partners' events: there before they are registered, since their endpoints are
 * tried out. A partner's signature counts as soon as the operator's tool has told it.
 */
export const startDemo = async (
  stack: StackFile,
  { root, port, folder, say, ...receiving }: DemoOptions,
): Promise<{ stack: StackFile; stop: () => Promise<void> }> => {
  const receiverUrl = receiverUrlOf(port);
  const demo = openDemo(folder, receiverUrl);
  const receiver = await startReceiver({
    port,
    file: folder.webhooks,
    source: 'svc.local.online-payments',
    signatureOf: (partner) => demo.partners.find(({ name }) => name === partner)?.webhookSignature,
    say,
    ...receiving,
  });
  try {
    await loadDemo({ ...stack, receiverUrl }, demo, { root, folder, say });
  } catch (error) {
    await receiver.stop();
    throw error;
  }
  const { baseUrl, authUrl, ...rest } = stack;
  const { partners, storefronts } = demo;
  return {
    stack: { baseUrl, authUrl, receiverUrl, ...rest, partners, storefronts },
    stop: receiver.stop,
  };
};
