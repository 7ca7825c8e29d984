import { describe, expect, test } from '@jest/globals';
import {
  type EndpointUrlFault,
  evaluateEndpointUrl,
} from '../../../../../../functions/shared/outbound/endpoint/url-policy.ts';

const deployed = { allowsLoopback: false };
const local = { allowsLoopback: true };

const label63 = 'a'.repeat(63);
const host253 = `${label63}.${label63}.${label63}.${'a'.repeat(57)}.com`;

const refused: [string, EndpointUrlFault][] = [
  // Not https.
  ['http://partner.example/hook', 'not-https'],
  ['HTTP://partner.example/hook', 'not-https'],
  ['http://127.0.0.1/hook', 'not-https'],
  ['http://169.254.169.254/latest/meta-data/', 'not-https'],
  ['ftp://partner.example/hook', 'not-https'],
  ['file:///etc/passwd', 'not-https'],
  ['javascript:alert(1)', 'not-https'],
  ['blob:https://partner.example/1', 'not-https'],
  // Not an address at all.
  ['', 'not-a-url'],
  ['partner.example/hook', 'not-a-url'],
  ['//partner.example/hook', 'not-a-url'],
  ['https://', 'not-a-url'],
  ['https://256.256.256.256/', 'not-a-url'],
  ['https://0x100000000/', 'not-a-url'],
  ['https://partner.example:99999/', 'not-a-url'],
  ['https://part ner.example/', 'not-a-url'],
  ['https://[::1/', 'not-a-url'],
  ['https://[fe80::1%25eth0]/', 'not-a-url'],
  ['https://exa%00mple.com/', 'not-a-url'],
  // A user name in it.
  ['https://me:pw@partner.example/', 'user-info'],
  ['https://me@partner.example/', 'user-info'],
  ['https://partner.example@127.0.0.1/', 'user-info'],
  ['https://:pw@partner.example/', 'user-info'],
  ['https://127.0.0.1\\@partner.example/', 'ip-literal'],
  // A fragment, or characters that the bus does not take.
  ['https://partner.example/hook#top', 'fragment'],
  ['https://partner.example/hook#', 'fragment'],
  ['https://partner.example#@127.0.0.1/', 'fragment'],
  ['https://partner.example/hooks/*', 'characters'],
  ['https://partner.example/a|b', 'characters'],
  [`https://partner.example/${'a'.repeat(2025)}`, 'characters'],
  // An invalid port, and ports beside names that are refused without one.
  ['https://partner.example:0/', 'port'],
  ['https://partner.example:08443/', 'spelling'],
  ['https://127.0.0.1:9001/', 'ip-literal'],
  ['https://[::1]:8443/', 'ip-literal'],
  ['https://localhost:8443/', 'host-name'],
  ['https://metadata.google.internal:8443/', 'reserved-name'],
  ['https://partner.example:8443@127.0.0.1/', 'user-info'],
  ['http://partner.example:443/', 'not-https'],
  // IPv4 in its spellings: usual, decimal, octal, hexadecimal, short, mixed, with zeros, with a dot at the end.
  ['https://8.8.8.8/', 'ip-literal'],
  ['https://127.0.0.1/', 'ip-literal'],
  ['https://127.0.0.1./', 'ip-literal'],
  ['https://127.1/', 'ip-literal'],
  ['https://2130706433/', 'ip-literal'],
  ['https://017700000001/', 'ip-literal'],
  ['https://0177.0.0.1/', 'ip-literal'],
  ['https://0x7f000001/', 'ip-literal'],
  ['https://0x7F.0.0.0x1/', 'ip-literal'],
  ['https://0.0.0.0/', 'ip-literal'],
  ['https://169.254.169.254/latest/meta-data/', 'ip-literal'],
  ['https://%31%32%37.0.0.1/', 'ip-literal'],
  ['https://１２７.0.0.1/', 'ip-literal'],
  ['https://127。0。0。1/', 'ip-literal'],
  ['https://①②⑦.0.0.1/', 'ip-literal'],
  ['https://127.0.0\t.1/', 'ip-literal'],
  // IPv6: loopback, mapped, link-local, public.
  ['https://[::1]/', 'ip-literal'],
  ['https://[::ffff:127.0.0.1]/', 'ip-literal'],
  ['https://[fe80::1]/', 'ip-literal'],
  ['https://[2606:4700::1111]/', 'ip-literal'],
  // Names that are no full names.
  ['https://localhost/', 'host-name'],
  ['https://localhost./', 'host-name'],
  ['https://intranet/', 'host-name'],
  ['https://partner.example./', 'host-name'],
  ['https://partner..example/', 'host-name'],
  ['https://.partner.example/', 'host-name'],
  ['https://-partner.example/', 'host-name'],
  ['https://partner-.example/', 'host-name'],
  ['https://_hook.partner.example/', 'host-name'],
  ["https://partner'.example/", 'host-name'],
  [`https://${label63}a.com/`, 'host-name'],
  [`https://a${host253}/`, 'host-name'],
  // Names that mean something else in somebody's network.
  ['https://hook.localhost/', 'reserved-name'],
  ['https://localhost.localdomain/', 'reserved-name'],
  ['https://printer.local/', 'reserved-name'],
  ['https://metadata.google.internal/', 'reserved-name'],
  ['https://wiki.corp/', 'reserved-name'],
  ['https://router.home.arpa/', 'reserved-name'],
  ['https://1.0.0.127.in-addr.arpa/', 'reserved-name'],
  ['https://hidden.onion/', 'reserved-name'],
  ['https://1.ip6.arpa/', 'reserved-name'],
  ['https://hook.intranet/', 'reserved-name'],
  ['https://hook.private/', 'reserved-name'],
  ['https://hook.home/', 'reserved-name'],
  ['https://hook.lan/', 'reserved-name'],
  ['https://hook.invalid/', 'reserved-name'],
  ['https://hook.test/', 'reserved-name'],
  ['https://METADATA.GOOGLE.INTERNAL/', 'reserved-name'],
  // Valid, but not in the spelling in which it would be shown.
  ['https://pаrtner.example/', 'spelling'],
  ['https://münchen.example/', 'spelling'],
  ['https://part\u00adner.example/', 'spelling'],
  ['https://partner。example/', 'spelling'],
  ['https://Partner.example/', 'spelling'],
  ['HTTPS://partner.example/', 'spelling'],
  ['https://partner.example:443/', 'spelling'],
  ['https://partner.example:/', 'spelling'],
  ['https:\\\\partner.example\\hook', 'spelling'],
  ['https:partner.example/hook', 'spelling'],
  ['https://part%6eer.example/', 'spelling'],
  ['https://partner.example/a/../hook', 'spelling'],
  ['https://partner.example/a b', 'spelling'],
  ['https://partner.example/ü', 'spelling'],
  [' https://partner.example/', 'spelling'],
  ['https://partner.example/ho\nok', 'spelling'],
];

describe('S-47 the address of a webhook endpoint', () => {
  test.each(refused)('%j is refused: %s', (text, reason) => {
    expect(evaluateEndpointUrl(text, deployed)).toEqual({ ok: false, reason });
  });

  test.each([
    ['https://partner.example', 'https://partner.example/'],
    ['https://partner.example/', 'https://partner.example/'],
    ['https://hooks.partner.example/in/transactions', 'https://hooks.partner.example/in/transactions'],
    ['https://partner.example/hook?code=a%2Fb&v=1', 'https://partner.example/hook?code=a%2Fb&v=1'],
    ['https://xn--mnchen-3ya.example/hook', 'https://xn--mnchen-3ya.example/hook'],
    ['https://partner.example:8443', 'https://partner.example:8443/'],
    ['https://partner.example:8443/hook?a=1', 'https://partner.example:8443/hook?a=1'],
    ['https://partner.example:80/', 'https://partner.example:80/'],
    ['https://partner.example:65535/', 'https://partner.example:65535/'],
    ['https://local.partner.example/', 'https://local.partner.example/'],
    ['https://internal-hooks.example/', 'https://internal-hooks.example/'],
    ['https://127.0.0.1.nip.io/', 'https://127.0.0.1.nip.io/'],
    [`https://${host253}/`, `https://${host253}/`],
  ])('%s is accepted by its text', (text, href) => {
    const judged = evaluateEndpointUrl(text, deployed);

    expect(judged.ok && judged.value.href).toBe(href);
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
