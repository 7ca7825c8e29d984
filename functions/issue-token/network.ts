import { isIPv6 } from 'node:net';

/** The network of one caller: an IPv4 address, or the /64 that one IPv6 connection has to itself. */
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

/** An IPv4 part at the end, as in `::ffff:1.2.3.4`, stands for two groups. */
const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
