import { refuse, succeed } from '../domain/outcome.ts';
import type { Partner } from '../domain/partner.ts';
import type { PartnerCredentials, PartnerStore } from './partner-store.ts';

/** The same answers as the table gives, held in memory: for tests. One suite runs on both. */
export const createMemoryPartners = (initial: readonly PartnerCredentials[] = []): PartnerStore => {
  const records = new Map(initial.map((record) => [record.partner.clientId, structuredClone(record)]));
  const partners = () => [...records.values()].map(({ partner }) => structuredClone(partner));
  const named = (name: string) => partners().find((partner) => partner.name === name);

  return {
    byClientId: async (clientId) => structuredClone(records.get(clientId)?.partner),
    credentialsOf: async (clientId) => structuredClone(records.get(clientId)),
    byName: async (name) => named(name),
    all: async () => partners().sort(byNameAscending),
    create: async (credentials) => {
      if (named(credentials.partner.name)) return refuse('name-taken');
      records.set(credentials.partner.clientId, structuredClone(credentials));
      return succeed(credentials.partner);
    },
    update: async (partner) => {
      const record = records.get(partner.clientId);
      if (record?.partner.name !== partner.name) return refuse('not-found');
      record.partner = structuredClone(partner);
      return succeed(partner);
    },
    replaceSecrets: async (clientId, secrets) => {
      const record = records.get(clientId);
      if (!record) return refuse('not-found');
      record.secrets = structuredClone(secrets);
      return succeed(secrets);
    },
    remove: async (clientId) => (records.delete(clientId) ? succeed(undefined) : refuse('not-found')),
  };
};

const byNameAscending = (one: Partner, other: Partner) => (one.name < other.name ? -1 : 1);
