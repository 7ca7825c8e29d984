import { UserError } from './user-error.ts';

/** The service waits so long for a receiver, connection and TLS included. */
export const serviceLimitMs = 5_000;

/** The address of a receiver as it was typed; the signature goes over the network by https alone. */
export const receiverUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && !isHere(url))
    throw new UserError(
      `${url.host} is not this machine: over http:// your signature could be read on its way.`,
    );
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UserError(`"${text}" is no address: write it like http://localhost:3000/webhooks.`);
};

/** Whether a host is this machine. */
export const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
