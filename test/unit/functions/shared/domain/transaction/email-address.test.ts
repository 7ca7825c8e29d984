import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addressesIn,
  addressesWithin,
  readEmail,
} from '../../../../../../functions/shared/domain/transaction/email-address.ts';
import { cpuMsOf } from '../../../../../support/builders/cpu-time.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

/** Ways to write an address that leave it one by itself. */
const spellings: Record<string, (email: string) => string> = {
  'as it is': (email) => email,
  'outer space': (email) => ` \t${email}\n`,
  'upper case': (email) => email.toUpperCase(),
  'a trailing dot': (email) => `${email}.`,
  'a name before it': (email) => `"Lee, Ann" <${email}>`,
  'mailto:': (email) => `mailto:${email}?subject=hello`,
  'a list': (email) => `zoe@else.example, ${email};bo@else.example`,
  'full width': (email) => [...email].map((one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join(''),
  'a full-width @': (email) => email.replace('@', '＠'),
  'percent-encoded': (email) => email.replaceAll(/[^a-z]/g, encodeURIComponent),
  'percent-encoded throughout': (email) =>
    [...email].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
  'percent-encoded twice': (email) => encodeURIComponent(encodeURIComponent(email)),
  'characters that nobody sees': (email) => [...email].join('\u200b'),
  quotes: (email) => `'${email}'`,
  'a sentence': (email) => `Write to ${email}, please.`,
  'JSON within text': (email) => JSON.stringify({ note: `to:\n${email}` }).replace('@', '\\u0040'),
};

/** Ways that put something before it which may be part of an address. */
const links: Record<string, (email: string) => string> = {
  'a query': (email) => `https://shop.example/in?page=2&email=${email}&x=1`,
  'an encoded query': (email) => `https://shop.example/in?email=${encodeURIComponent(email)}`,
  'a phrase in a query': (email) => `https://shop.example/in?q=mail+${encodeURIComponent(email)}`,
  'a path': (email) => `/customers/${email}/orders`,
  'user information': (email) => `ftp://${email}/`,
  emphasis: (email) => `*${email}*`,
  'emphasis by a character of addresses': (email) => `_${email}_`,
  'a list with slashes': (email) => `zoe@else.example/${email}`,
};

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const emails = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9]([a-z0-9.+_-]{0,8}[a-z0-9])?$/),
    fc.array(label, { minLength: 1, maxLength: 3 }),
  )
  .map(([local, labels]) => `${local}@${labels.join('.')}`);

const holds = (title: string, property: fc.IProperty<[string]>) =>
  fc.assert(property, propertyRun(title, 60, 3000));

describe('S-82 an address is found', () => {
  test.each(Object.entries(spellings))('S-82 in every spelling: %s', (name, spelled) => {
    holds(
      `address: ${name}`,
      fc.property(emails, (email) => {
        expect(addressesIn(spelled(email))).toContain(email);
        expect(addressesWithin(spelled(email))).toContain(email);
      }),
    );
  });

  test.each(Object.entries(links))('S-82 within a link or markup: %s', (name, linked) => {
    holds(
      `mention: ${name}`,
      fc.property(emails, (email) => expect(addressesWithin(linked(email))).toContain(email)),
    );
  });

  test('S-82 with a domain in another script, in both spellings', () => {
    expect(addressesIn('Ann@MÜLLER.example')).toEqual(['ann@xn--mller-kva.example']);
    expect(addressesIn('ann@xn--mller-kva.example')).toEqual(['ann@xn--mller-kva.example']);
  });
});

describe('S-82 an address is not found within another one', () => {
  const others: Record<string, (email: string) => string> = {
    'more before it': (email) => `jo${email}`,
    'more before it, after a dot': (email) => `jo.${email}`,
    'more before it, after a dash': (email) => `jo-${email}`,
    'more before it, after a plus': (email) => `jo+${email}`,
    'more after it': (email) => `${email}v`,
    'a further label': (email) => `${email}.uk`,
    'a longer label': (email) => `${email}-x.uk`,
    'a tag': (email) => email.replace('@', '+tag@'),
  };

  test.each(Object.entries(others))('S-82 %s', (name, changed) => {
    holds(
      `no address: ${name}`,
      fc.property(emails, (email) => {
        for (const spelled of Object.values(spellings))
          expect(addressesWithin(spelled(changed(email)))).not.toContain(email);
      }),
    );
  });

  test("S-82 a whole address ends where it stands: o'ann@b.example and tom&ann@b.example do not contain ann's", () => {
    expect(addressesIn("o'ann@b.example, tom&ann@b.example")).toEqual([
      "o'ann@b.example",
      'tom&ann@b.example',
    ]);
    expect(addressesWithin('tom&ann@b.example')).toContain('ann@b.example');
  });

  test.each([
    ['m%C3%BCller%40b.example', 'müller@b.example'],
    ["''ann@b.example''", 'ann@b.example'],
    ['ann@--b.example', 'ann@b.example'],
    ['ann@b.example...', 'ann@b.example'],
    ['?to=.-ann@b.example', 'ann@b.example'],
    ['?to=a.n-n@b.example', 'a.n-n@b.example'],
    ['from\\nann@b.example', 'ann@b.example'],
  ])('S-82 %j contains %s', (text, email) => {
    expect(addressesWithin(text)).toContain(email);
  });

  test('S-82 a local part of more than 64 characters is not an address', () => {
    expect(addressesIn(`${'a'.repeat(64)}@b.example`)).toEqual([`${'a'.repeat(64)}@b.example`]);
    expect(addressesIn(`${'a'.repeat(65)}@b.example`)).toEqual([]);
  });

  test.each(['@', 'a@', '@b', "'@b", 'a@.', 'ann at b.example', ''])('S-82 %j has none', (text) => {
    expect(addressesWithin(text)).toEqual([]);
  });
});

describe('S-82 an address that an operator types', () => {
  test.each([
    ['Ann@B.example', 'ann@b.example'],
    [' ann@b.example. ', 'ann@b.example'],
    ['ａｎｎ＠b.example', 'ann@b.example'],
    ["o'ann+x@b.example", "o'ann+x@b.example"],
  ])('S-82 %j is read in the form that is compared', (text, email) => {
    expect(readEmail(text)).toBe(email);
  });

  test.each([
    'ann',
    'Ann <ann@b.example>',
    'ann lee@b.example',
    'a@b, c@d',
    `${'a'.repeat(65)}@b.example`,
    '@b',
  ])('S-82 %j is refused, because it is not one address', (text) => {
    expect(readEmail(text)).toBeUndefined();
  });
});

test.each(['@', '=', 'a@', '=@a', '%40', '%25', '.@'])(
  'S-82 a text of 100,000 characters %j takes seconds at most',
  async (part) => {
    const text = part.repeat(100_000 / part.length);

    const cpuMs = await cpuMsOf(() => [addressesIn(text), addressesWithin(text)]);

    expect(cpuMs).toBeLessThan(3_000);
  },
);
