import { isIP } from 'node:net';
import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';

/** Why a URL is no webhook endpoint. */
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
  /** Right in itself, but another spelling than a browser would show of it. */
  | 'spelling';

/** Only the local stage lets plain http to its own machine through. */
export type EndpointRules = { allowsLoopback: boolean };

/**
 * Whether the text of a URL may be a partner's endpoint (S-47). It must be spelt as the URL standard writes it: what is
 * shown, stored and asked is then the same text, and no second spelling of a host has to be thought of. A name in other
 * letters than ASCII is therefore refused until it is written as `xn--…`, where a look-alike shows. Where its name leads
 * is checked on the socket (`pinned-post.ts`).
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

/** Any port will do, for what is behind it must prove its name by TLS; port 0 is none. */
const hostOrPortFault = ({ port, hostname }: URL) =>
  hostFault(hostname) ?? (port === '0' ? 'port' : undefined);

/** API_CreateApiDestination, InvocationEndpoint: these characters, 2,048 at most; `*` would be a place to fill in. */
const isDestination = ({ href, pathname, search }: URL) =>
  href.length <= 2048 && /^(%[0-9A-Fa-f]{2}|[-()_.!~';/?:@&=+$,A-Za-z0-9])*$/.test(pathname + search);

/** The URL parser has turned every spelling of an IPv4 address (decimal, octal, hexadecimal, short) into the usual one. */
const hostFault = (host: string): EndpointUrlFault | undefined => {
  if (isIP(host) !== 0 || host.startsWith('[')) return 'ip-literal';
  if (host.length > 253 || !namePattern.test(host)) return 'host-name';
  return reservedNames.test(host) ? 'reserved-name' : undefined;
};

/** Two labels or more, none empty: neither `intranet` nor `partner.example.` with a dot at its end. */
const namePattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names that networks give meanings of their own (RFC 6761, 6762, 8375, and `.internal` of ICANN). */
const reservedNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|in-addr\.arpa|ip6\.arpa|onion|invalid|test)$/;
