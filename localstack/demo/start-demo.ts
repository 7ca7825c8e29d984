import type { DataFolder } from '../data/data-folder.ts';
import type { StackFile } from '../stack-file.ts';
import { type ReceiverOptions, receiverUrlOf, startReceiver } from '../webhook-receiver/receiver.ts';
import { issuerOf, openIdentityProvider } from './identity-provider.ts';
import { loadDemo, openDemo } from './load.ts';

type DemoOptions = { root: string; port: number; folder: DataFolder; say: (line: string) => void } & Pick<
  ReceiverOptions,
  'conditionOf' | 'clock'
>;

/** The demo partners' webhook receiver, with the demo storefronts' identity provider on the same port. */
type StartedDemo = {
  /** Loads missing demo data, and returns the stack with partners and storefronts. */
  load: (stack: StackFile) => Promise<StackFile>;
  stop: () => Promise<void>;
};

/**
 * Starts the receiver, before the partners are registered, since their endpoints are checked. It knows a partner's signature
 * as soon as the operator's tool has printed it.
 */
export const startDemo = async ({
  root,
  port,
  folder,
  say,
  ...receiving
}: DemoOptions): Promise<StartedDemo> => {
  const receiverUrl = receiverUrlOf(port);
  const demo = openDemo(folder, receiverUrl);
  const receiver = await startReceiver({
    port,
    file: folder.webhooks,
    source: 'svc.local.online-payments',
    signatureOf: (partner) => demo.partners.find(({ name }) => name === partner)?.webhookSignature,
    say,
    beside: await openIdentityProvider({ port, clock: receiving.clock }),
    ...receiving,
  });
  const load = async (stack: StackFile): Promise<StackFile> => {
    await loadDemo({ ...stack, receiverUrl }, demo, { root, folder, issuer: issuerOf(port), say });
    const { baseUrl, authUrl, ...rest } = stack;
    const { partners, storefronts } = demo;
    return { baseUrl, authUrl, receiverUrl, ...rest, partners, storefronts };
  };
  return { load, stop: receiver.stop };
};
