import { describe, expect, test } from '@jest/globals';
import {
  type EndpointUrlFault,
  evaluateEndpointUrl,
} from '../../../../../../functions/shared/outbound/endpoint/url-policy.ts';

const deployed = { allowsLoopback: false };
const local = { allowsLoopback: true };

const label63 = 'a'.repeat(63);
const host253 = `${label63}.${label63}.${label63}.${'a'.repeat(57)}.com`;

const all = (reason: EndpointUrlFault, urls: string) =>
  urls.split(' ').map((url): [string, EndpointUrlFault] => [url, reason]);
const allOfHosts = (reason: EndpointUrlFault, hosts: string) =>
  hosts.split(' ').map((host): [string, EndpointUrlFault] => [`https://${host}/`, reason]);

const refused: [string, EndpointUrlFault][] = [
  ...all('not-https', 'http://partner.example/hook HTTP://partner.example/hook http://127.0.0.1/hook'),
  ...all('not-https', 'http://169.254.169.254/latest/meta-data/ http://partner.example:443/'),
  ...all(
    'not-https',
    'ftp://partner.example/ file:///etc/passwd javascript:alert(1) blob:https://partner.example/1',
  ),
  ...all('not-a-url', 'partner.example/hook //partner.example/hook https:// https://[::1/'),
  ...allOfHosts(
    'not-a-url',
    '256.256.256.256 0x100000000 partner.example:99999 [fe80::1%25eth0] exa%00mple.com',
  ),
  ['', 'not-a-url'],
  ['https://part ner.example/', 'not-a-url'],
  ...allOfHosts('user-info', 'me:pw@partner.example me@partner.example :pw@partner.example'),
  ...allOfHosts('user-info', 'partner.example@127.0.0.1 partner.example:8443@127.0.0.1'),
  ...allOfHosts('fragment', 'partner.example/hook#top partner.example#@127.0.0.1'),
  ['https://partner.example/hook#', 'fragment'],
  // Characters that the bus does not take.
  ...allOfHosts(
    'characters',
    `partner.example/hooks/* partner.example/a|b partner.example/${'a'.repeat(2024)}`,
  ),
  ...allOfHosts('port', 'partner.example:0'),
  // IPv4 in its spellings: usual, decimal, octal, hexadecimal, short, mixed, with zeros, with a dot at the end.
  ...allOfHosts(
    'ip-literal',
    '8.8.8.8 127.0.0.1 127.0.0.1. 127.1 2130706433 017700000001 0177.0.0.1 0.0.0.0',
  ),
  ...allOfHosts(
    'ip-literal',
    '0x7f000001 0x7F.0.0.0x1 169.254.169.254 127.0.0.1:9001 127.0.0.1\\@partner.example',
  ),
  ...allOfHosts('ip-literal', '%31%32%37.0.0.1 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 127.0.0\t.1'),
  // IPv6: loopback, mapped, link-local, public.
  ...allOfHosts('ip-literal', '[::1] [::1]:8443 [::ffff:127.0.0.1] [fe80::1] [2606:4700::1111]'),
  // Names that are no full names.
  ...allOfHosts(
    'host-name',
    'localhost localhost. localhost:8443 intranet partner.example. partner..example',
  ),
  ...allOfHosts('host-name', '.partner.example -partner.example partner-.example _hook.partner.example'),
  ...allOfHosts('host-name', `partner'.example ${label63}a.com a${host253}`),
  // Names that mean something else in somebody's network.
  ...allOfHosts(
    'reserved-name',
    'hook.localhost localhost.localdomain printer.local metadata.google.internal',
  ),
  ...allOfHosts(
    'reserved-name',
    'metadata.google.internal:8443 METADATA.GOOGLE.INTERNAL wiki.corp hook.intranet',
  ),
  ...allOfHosts(
    'reserved-name',
    'router.home.arpa 1.0.0.127.in-addr.arpa 1.ip6.arpa hidden.onion hook.private',
  ),
  ...allOfHosts('reserved-name', 'hook.home hook.lan hook.invalid hook.test'),
  // Valid, but not in the spelling in which it would be shown.
  ...allOfHosts('spelling', 'pаrtner.example münchen.example part\u00adner.example partner。example'),
  ...allOfHosts('spelling', 'Partner.example part%6eer.example partner.example:443 partner.example:'),
  ...allOfHosts('spelling', 'partner.example:08443 partner.example/a/../hook partner.example/ü'),
  ...all('spelling', 'HTTPS://partner.example/ https:\\\\partner.example\\hook https:partner.example/hook'),
  ['https://partner.example/a b', 'spelling'],
  [' https://partner.example/', 'spelling'],
  ['https://partner.example/ho\nok', 'spelling'],
];

describe('S-47 the address of a webhook endpoint', () => {
  test.each(refused)('%j is refused: %s', (text, reason) => {
    expect(evaluateEndpointUrl(text, deployed)).toEqual({ ok: false, reason });
  });

  test.each(['https://partner.example', 'https://partner.example:8443'])(
    '%s is accepted, and shown with a slash at its end',
    (text) => {
      const judged = evaluateEndpointUrl(text, deployed);

      expect(judged.ok && judged.value.href).toBe(`${text}/`);
    },
  );

  test.each([
    'https://partner.example/',
    'https://hooks.partner.example/in/transactions',
    'https://partner.example/hook?code=a%2Fb&v=1',
    'https://xn--mnchen-3ya.example/hook',
    'https://partner.example:8443/hook?a=1',
    'https://partner.example:80/',
    'https://partner.example:65535/',
    'https://local.partner.example/',
    'https://internal-hooks.example/',
    'https://127.0.0.1.nip.io/',
    `https://${host253}/`,
  ])('%s is accepted by its text', (text) => {
    const judged = evaluateEndpointUrl(text, deployed);

    expect(judged.ok && judged.value.href).toBe(text);
  });

  test.each([
    'http://127.0.0.1:8790/hook',
    'http://localhost:8790/',
    'http://[::1]:8790/hook',
    'https://partner.example/hook',
  ])('the local stage accepts %s', (text) => {
    expect(evaluateEndpointUrl(text, local).ok).toBe(true);
  });

  test.each([
    ['http://127.0.0.2:8790/', 'not-https'],
    ['http://10.0.0.1:8790/', 'not-https'],
    ['http://partner.example/', 'not-https'],
    ['http://localhost.partner.example/', 'not-https'],
    ['https://127.0.0.1:8790/', 'ip-literal'],
    ['https://127.0.0.1/', 'ip-literal'],
    ['http://me@127.0.0.1:8790/', 'user-info'],
    ['http://2130706433:8790/', 'spelling'],
    ['http://LOCALHOST:8790/', 'spelling'],
  ])('even the local stage refuses %s: %s', (text, reason) => {
    expect(evaluateEndpointUrl(text, local)).toEqual({ ok: false, reason });
  });
});
