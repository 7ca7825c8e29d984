import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { IdentityProvider } from '../../../functions/shared/domain/ownership/storefront.ts';
import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';
import { formatGrant } from '../partners/grant-text.ts';

/** The words of the command that wrote a record: `['partner', 'grant', 'acme', '--grant', 'group=G1']`. */
export const commandLineOf = ({ command, arguments: args }: AuditRecord): string[] => {
  const { name, uuid, kid, kind, ...others } = args;
  const options = command.endsWith(' create') ? { name, ...others } : others;
  const argument = 'name' in options ? undefined : (name ?? uuid ?? kid ?? kind);
  const words = Object.entries(options).flatMap(([option, value]) => optionOf(option, value));
  if (argument === undefined) return [...command.split(' '), ...words];
  const last = String(argument);
  return [...command.split(' '), ...(last.startsWith('-') ? [...words, '--', last] : [last, ...words])];
};

/** Quotes a word where a shell would change it. */
export const shellWord = (word: string): string =>
  /^[\w.,:/@=-]+$/.test(word) && !word.startsWith('=') ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** An option has the name of the record's argument, but for these. */
const optionOf = (name: string, value: unknown): string[] => {
  switch (name) {
    case 'grants':
      return (value as Grant[]).flatMap((grant) => ['--grant', formatGrant(grant)]);
    case 'oauthScopes':
      return ['--oauth-scopes', (value as string[]).join(' ')];
    case 'origins':
      return (value as string[]).flatMap((origin) => ['--origin', origin]);
    case 'identityProvider':
      return optionsOfProvider(value as IdentityProvider);
    case 'showsPaymentTokens':
      return value ? ['--show-payment-tokens'] : [];
    case 'table':
      return ['--restored', String(value)];
    case 'step':
      return value === 'announce' ? [] : [`--${value}`];
    // Facts of the record that no option sets.
    case 'by':
    case 'clientId':
    case 'createdAt':
    case 'retired':
    case 'secretId':
    case 'session':
      return [];
    default:
      return plainOption(
        name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        value,
      );
  }
};

const optionsOfProvider = ({ issuer, audience, algorithm }: IdentityProvider): string[] => [
  ...['--issuer', issuer, '--audience', audience, '--id-token-alg', algorithm],
];

const plainOption = (name: string, value: unknown): string[] => {
  if (value === true) return [`--${name}`];
  return value === false || value === '' ? [] : [`--${name}`, String(value)];
};
