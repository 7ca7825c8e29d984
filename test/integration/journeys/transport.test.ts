import type { AddressInfo } from 'node:net';
import { createServer, type SecureVersion } from 'node:tls';
import { expect, test } from '@jest/globals';
import { harbourShop } from '../../journeys/imported-transactions.ts';
import { transportJourney } from '../../journeys/transport.ts';
import { worldOf } from '../../journeys/world.ts';
import { aCertificate, anAuthority } from '../../support/stage/certificate.ts';

const [authority, stranger] = [anAuthority(), anAuthority('Another authority')];
const taken = 'O-56 TLS 1.2 and TLS 1.3 are taken';
const refused = 'O-56 TLS 1.0 and TLS 1.1 are refused';

// Only a deployed stage has TLS, so that no other suite runs these steps.
test.each<[string, SecureVersion, SecureVersion, { cert: string }, string[]]>([
  ['1.2 and 1.3 alone are right', 'TLSv1.2', 'TLSv1.3', authority, []],
  ['1.1 is found', 'TLSv1.1', 'TLSv1.3', authority, [refused]],
  ['1.0 is found, and the lack of 1.3', 'TLSv1', 'TLSv1.2', authority, [taken, refused]],
  ['the lack of 1.3 is found', 'TLSv1.2', 'TLSv1.2', authority, [taken]],
  ['a certificate of nobody known is no connection', 'TLSv1.2', 'TLSv1.3', stranger, [taken]],
])('O-56 of TLS %s', async (_, minVersion, maxVersion, { cert: ca }, titles) => {
  const certificate = aCertificate({ host: 'localhost', authority });
  const server = createServer({ ...certificate, minVersion, maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const send = async () => ({ request: '', status: 403, headers: new Headers(), text: '' });
  const world = worldOf({ baseUrl, authUrl: baseUrl, send, operator: async () => ({}) }, harbourShop);

  const red: string[] = [];
  for (const { title, check } of transportJourney({ gatewayUrls: [baseUrl], baseUrl, ca }).steps)
    await check(world).catch(() => red.push(title));
  server.close();

  expect(red).toEqual(titles);
});
