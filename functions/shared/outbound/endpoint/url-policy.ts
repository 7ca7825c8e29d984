import { isIP } from 'node:net';
import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';

/** Why a URL cannot be a webhook endpoint. */
export type EndpointUrlFault =
  | 'not-a-url'
  | 'not-https'
  | 'user-info'
  | 'fragment'
  | 'port'
  | 'ip-literal'
  | 'host-name'
  | 'reserved-name'
  | 'characters'
  /** Valid, but not spelt as a browser would show it. */
  | 'spelling';

/** Only the local stage allows plain http to its own machine. */
export type EndpointRules = { allowsLoopback: boolean };

/**
 * Whether a URL can be a partner's endpoint (S-47). It must be spelt as the URL standard serialises it, so that the shown,
 * stored and requested text are the same. A name in other letters must be written as `xn--…`, which shows a look-alike.
 * `pinned-post.ts` checks the addresses of the name.
 */
export const evaluateEndpointUrl = (text: string, rules: EndpointRules): Outcome<URL, EndpointUrlFault> => {
  if (!URL.canParse(text)) return refuse('not-a-url');
  const url = new URL(text);
  const fault = faultOf(url, rules);
  if (fault) return refuse(fault);
  return url.href === text || url.href === `${text}/` ? succeed(url) : refuse('spelling');
};

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

const isLocalEndpoint = ({ protocol, hostname }: URL, { allowsLoopback }: EndpointRules) =>
  allowsLoopback && protocol === 'http:' && loopbackHosts.has(hostname);

const faultOf = (url: URL, rules: EndpointRules): EndpointUrlFault | undefined => {
  const isLocal = isLocalEndpoint(url, rules);
  if (!isLocal && url.protocol !== 'https:') return 'not-https';
  if (url.username !== '' || url.password !== '') return 'user-info';
  if (url.hash !== '' || url.href.endsWith('#')) return 'fragment';
  const hostOrPort = isLocal ? undefined : hostOrPortFault(url);
  return hostOrPort ?? (isDestination(url) ? undefined : 'characters');
};

/** Any port is allowed, because the host must prove its name by TLS; port 0 is none. */
const hostOrPortFault = ({ port, hostname }: URL) =>
  hostFault(hostname) ?? (port === '0' ? 'port' : undefined);

/** API_CreateApiDestination, InvocationEndpoint: these characters, at most 2,048; `*` is a placeholder there. */
const isDestination = ({ href, pathname, search }: URL) =>
  href.length <= 2048 && /^(%[0-9A-Fa-f]{2}|[-()_.!~';/?:@&=+$,A-Za-z0-9])*$/.test(pathname + search);

/** The URL parser has normalised every spelling of an IPv4 address. */
const hostFault = (host: string): EndpointUrlFault | undefined => {
  if (isIP(host) !== 0 || host.startsWith('[')) return 'ip-literal';
  if (host.length > 253 || !namePattern.test(host)) return 'host-name';
  return reservedNames.test(host) ? 'reserved-name' : undefined;
};

/** At least two labels, none empty: neither `intranet` nor `partner.example.`. */
const namePattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names with special meanings (RFC 6761, 6762, 8375, and ICANN's `.internal`). */
const reservedNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|in-addr\.arpa|ip6\.arpa|onion|invalid|test)$/;
