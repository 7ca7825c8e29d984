import type { AddressInfo } from 'node:net';
import { createServer, type SecureVersion, type Server } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { reachOver } from '../../../bin/smoke/reach.ts';
import { aCertificate, anAuthority } from '../../support/stage/certificate.ts';

const authority = anAuthority();
const versions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A host that takes versions from one to another. */
const aHost = async (minVersion: SecureVersion, maxVersion: SecureVersion) => {
  const certificate = aCertificate({ host: 'localhost', authority });
  const server = createServer({ ...certificate, minVersion, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
};

const takenBy = async (host: string, ca = authority.cert) => {
  const { takes } = reachOver(undefined, { ca });
  const taken = await Promise.all(versions.map((version) => takes(host, version)));
  return versions.filter((_, index) => taken[index]);
};

test('O-56 each version of TLS is tried by itself, old ones too', async () => {
  expect(await takenBy(await aHost('TLSv1', 'TLSv1.3'))).toEqual(versions);
  expect(await takenBy(await aHost('TLSv1.2', 'TLSv1.3'))).toEqual(['TLSv1.2', 'TLSv1.3']);
  expect(await takenBy(await aHost('TLSv1', 'TLSv1.1'))).toEqual(['TLSv1', 'TLSv1.1']);
});

test('O-56 a certificate of nobody known is no connection, and neither is an address without TLS', async () => {
  const stranger = anAuthority('Another authority');

  expect(await takenBy(await aHost('TLSv1.2', 'TLSv1.3'), stranger.cert)).toEqual([]);
  expect(await takenBy('http://localhost:1')).toEqual([]);
});
