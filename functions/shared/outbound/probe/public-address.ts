import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether requests to endpoints may go to this IP address (S-47, S-48): a public one in standard spelling. Reserved
 * addresses, and addresses that contain another, are not public.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
};

/** RFC 4291 calls more addresses unicast than are assigned; `::7f00:1`, for example, used to mean 127.0.0.1. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Whether this IP address is the machine's own, where a demo receiver may listen. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';
