import type { IncomingHttpHeaders } from 'node:http';

export type Refusal = 'another host' | 'another page';

/**
 * Why a request to a port of the stage is refused (S-83). Any page that a developer has open may send requests to this machine.
 * The host stops a name that was led here (DNS rebinding). `Origin` and Fetch Metadata, which only browsers send, stop the rest.
 */
export const refusalOf = (headers: IncomingHttpHeaders, port: number | undefined): Refusal | undefined => {
  if (!ownNames.some((name) => headers.host === `${name}:${port}`)) return 'another host';
  return isOfAnotherPage(headers) ? 'another page' : undefined;
};

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** `none` is what a person typed. Links, images and scripts have no `Origin`, but a site. */
const isOfAnotherPage = ({ host, origin, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean =>
  (origin !== undefined && origin !== `http://${host}`) || (site !== 'same-origin' && site !== 'none');
