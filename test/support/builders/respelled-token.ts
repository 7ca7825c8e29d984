/** Unused bits at the end of a part do not change its bytes. */
const withStrayBits = (part: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${part.slice(0, -1)}${alphabet[alphabet.indexOf(part.slice(-1)) + 1]}`;
};

const spaces = { newline: '\n', CRLF: '\r\n', blank: ' ', tab: '\t', 'no-break space': '\u00a0' };

/**
 * Other spellings of a valid token, with what was changed. Lenient decoders read the same header, claims and signature from each
 * of them (TH-11).
 */
export const respelled = (token: string): [change: string, text: string][] => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const withSignature = (text: string) => `${header}.${payload}.${text}`;
  return [
    ...Object.entries(spaces).flatMap(([name, space]): [string, string][] => [
      [`a ${name} at its end`, `${token}${space}`],
      [`a ${name} at its beginning`, `${space}${token}`],
      [`a ${name} in its signature`, withSignature(`${signature.slice(0, 9)}${space}${signature.slice(9)}`)],
    ]),
    ['padding', `${token}==`],
    ['another alphabet', withSignature(Buffer.from(signature, 'base64url').toString('base64'))],
    ['a character of no alphabet', `${token}~`],
    ['changed unused bits', withSignature(withStrayBits(signature))],
    ['a fourth part', `${token}.`],
  ];
};
