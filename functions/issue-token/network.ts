import { isIPv6 } from 'node:net';

/**
 * What one caller has at its disposal: an IPv4 address, or the /64 of an IPv6 one, since a single connection comes with all
 * addresses of that.
 */
export const networkOf = (address: string): string => {
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? `${firstFourGroups(address).join(':')}::/64` : address;
};

const firstFourGroups = (address: string): string[] => {
  const [start = '', end = ''] = address.replace(/%.*$/, '').split('::');
  const [left, right] = [start, end].map(groupsOf) as [string[], string[]];
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
};

/** Four bytes in the IPv4 way at the end stand for two groups. */
const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
