import type { IncomingHttpHeaders } from 'node:http';

export type Refusal = 'another host' | 'another page';

/**
 * Why a request to a port of the stage is refused (S-83). Any page in a developer's browser can send requests to this machine.
 * The check of `Host` stops DNS rebinding. `Origin` and Fetch Metadata, which only browsers send, stop other pages.
 */
export const refusalOf = (headers: IncomingHttpHeaders, port: number | undefined): Refusal | undefined => {
  if (!ownNames.some((name) => headers.host === `${name}:${port}`)) return 'another host';
  return isOfAnotherPage(headers) ? 'another page' : undefined;
};

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** `none` stands for a typed address. Links, images and scripts send a site and no `Origin`. */
const isOfAnotherPage = ({ host, origin, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean =>
  (origin !== undefined && origin !== `http://${host}`) || (site !== 'same-origin' && site !== 'none');
