import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether requests to partners' endpoints may go to this IP address (S-47, S-48): one of the public internet, in the
 * standard spelling. Everything that is reserved for something else, or carries another address inside it, is not.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
};

/** RFC 4291 calls more "unicast" than is given out: `::7f00:1`, for instance, was once a way to write 127.0.0.1. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Whether this IP address is the machine's own: where a demo receiver of the local stage may listen. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';
