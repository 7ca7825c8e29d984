import type { OperatorRights } from '../../../lib/constructs/people/operator-rights.ts';

/** Declared rights of commands in the form of records and templates: `Partners/KEYS dynamodb:GetItem`. */
export const declaredIn = (rights: OperatorRights): string[] =>
  Object.entries(rights)
    .flatMap(([place, actions]) =>
      actions.map((action) => `${place} ${services[place] ?? 'dynamodb'}:${action}`),
    )
    .sort();

/** Places that are no tables. */
const services: Record<string, string> = {
  EndpointKeeperRequests: 'sqs',
  PartnerBusDeadLetters: 'sqs',
  AccessKeys: 'secretsmanager',
  SessionKeys: 'secretsmanager',
  Pepper: 'secretsmanager',
};
