import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { AuditRecord } from '../../../functions/shared/store/partners/audit-log.ts';
import { formatGrant } from '../partners/grant-text.ts';

/** The words of the command that has written a record: `['partner', 'grant', 'acme', '--grant', 'group=G1']`. */
export const commandLineOf = ({ command, arguments: args }: AuditRecord): string[] => {
  const { name, uuid, kid, kind, ...others } = args;
  const options = command.endsWith(' create') ? { name, ...others } : others;
  const argument = 'name' in options ? undefined : (name ?? uuid ?? kid ?? kind);
  return [
    ...command.split(' '),
    ...(argument === undefined ? [] : [String(argument)]),
    ...Object.entries(options).flatMap(([option, value]) => optionOf(option, value)),
  ];
};

/** An option is named as its argument in the record, but for these. */
const optionOf = (name: string, value: unknown): string[] => {
  switch (name) {
    case 'grants':
      return (value as Grant[]).flatMap((grant) => ['--grant', formatGrant(grant)]);
    case 'oauthScopes':
      return ['--oauth-scopes', (value as string[]).join(' ')];
    case 'origins':
      return (value as string[]).flatMap((origin) => ['--origin', origin]);
    case 'showsPaymentTokens':
      return value ? ['--show-payment-tokens'] : [];
    case 'step':
      return value === 'announce' ? [] : [`--${value}`];
    // Nobody types these.
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

const plainOption = (name: string, value: unknown): string[] => {
  if (value === true) return [`--${name}`];
  return value === false || value === '' ? [] : [`--${name}`, String(value)];
};
