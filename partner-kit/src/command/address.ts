import { UserError } from './user-error.ts';

/** How long the service waits for a receiver, including connection and TLS. */
export const serviceLimitMs = 5_000;

/** The typed address of a receiver. Only https may carry the signature over a network. */
export const receiverUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && !isHere(url))
    throw new UserError(
      `${url.host} is not this machine: http:// would expose your signature. Use https://.`,
    );
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UserError(`"${text}" is not an address: write it like http://localhost:3000/webhooks.`);
};

/** Whether a host is this machine. */
export const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
