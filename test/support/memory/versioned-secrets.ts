import type { SecretStore } from '../../../functions/shared/store/secrets/secrets.ts';
import type { VersionedSecrets } from '../../../functions/shared/store/secrets/versions.ts';

/** Secrets with versions, held in memory: for tests. */
export const createMemorySecrets = (initial: Record<string, string>): VersionedSecrets & SecretStore => {
  const texts = new Map(Object.entries(initial).map(([id, text]) => [`${id} first`, text]));
  const current = new Map(Object.keys(initial).map((id) => [id, 'first']));
  const pending = new Map<string, string>();
  return {
    read: async (secretId) => texts.get(`${secretId} ${current.get(secretId)}`),
    write: async (secretId, text) => {
      texts.set(`${secretId} ${text}`, text);
      current.set(secretId, text);
    },
    readVersion: async (secretId, version) => texts.get(`${secretId} ${version}`),
    writePending: async (secretId, version, text) => {
      if ((texts.get(`${secretId} ${version}`) ?? text) !== text) throw new Error('ResourceExistsException');
      texts.set(`${secretId} ${version}`, text);
      pending.set(secretId, version);
    },
    makeCurrent: async (secretId, version) => {
      if (current.get(secretId) !== version && pending.get(secretId) !== version) return false;
      current.set(secretId, version);
      return true;
    },
  };
};
