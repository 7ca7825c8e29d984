import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../../../../functions/shared/outbound/probe/public-address.ts';

describe('S-47 S-48 addresses that a request to a partner may reach', () => {
  test.each([
    ['IPv4', '8.8.8.8 126.255.255.255 128.0.0.1 172.15.0.1 172.32.0.1 223.255.255.254'],
    ['IPv6', '2606:4700::1111 2a00:1450:4009:80b::200e 2620:fe::fe ::ffff:8.8.8.8'],
  ])('public addresses of %s', (_, addresses) => {
    expect(addresses.split(' ').filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  test.each([
    ['loopback', '127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1'],
    ['loopback in the old IPv4-compatible form', '::7f00:1 ::127.0.0.1'],
    ['IPv4-mapped', '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254'],
    ['this host or network, unspecified', '0.0.0.0 0.1.2.3 ::'],
    ['private, unique local, site-local', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fec0::1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['instance metadata, container credentials', '169.254.169.254 169.254.170.2 fd00:ec2::254'],
    ['link-local, with and without a zone', 'fe80::1 fe80::1%eth0 2606:4700::1111%eth0'],
    ['documentation', '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1'],
    ['protocol assignments, benchmarks', '192.0.0.1 198.18.0.1 198.19.255.255 2001:2::1'],
    ['AS112, AMT, 6to4 relays', '192.31.196.1 192.175.48.1 192.52.193.1 192.88.99.1'],
    ['multicast, reserved, broadcast', '224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 ff02::1'],
    ['translated', '::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1'],
    ['Teredo, 6to4', '2001::1 2002:7f00:1:: 2002:808:808::'],
    ['discard only, ORCHID, segment routing', '100::1 2001:10::1 2001:20::1 5f00::1'],
    ['not given out', '4000::1'],
    [
      'another spelling',
      '2130706433 0x7f000001 0177.0.0.1 127.1 8.8.8 134744072 010.8.8.8 8.8.8.8. ８.8.8.8',
    ],
    ['no address', '8.8.8.8:443 [2606:4700::1111] localhost example.com'],
  ])('not public: %s', (_, addresses) => {
    expect(addresses.split(' ').filter(isPublicAddress)).toEqual([]);
  });

  test.each(['', ' 8.8.8.8'])('not public: %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
