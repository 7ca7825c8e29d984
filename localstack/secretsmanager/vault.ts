import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import type { CloudSecret } from '../cloudformation/model.ts';
import { readJsonFile, writePrivateJson } from '../data/private-json.ts';
import type { Version } from './versions.ts';

export type StoredSecret = {
  name: string;
  arn: string;
  createdAt: string;
  rotatedAt?: string;
  versions: Version[];
};

/** All secrets, kept in one file that only its owner may read. */
export type Vault = {
  find: (id: unknown) => StoredSecret | undefined;
  save: () => void;
  now: Clock;
  newVersion: (id: string, stages: string[], value?: string) => Version;
};

/** Opens the kept secrets, and adds new ones with a generated value where the template asks for it. */
export const openVault = (file: string, declared: readonly CloudSecret[], now: Clock): Vault => {
  const stored = readJsonFile<StoredSecret[]>(file) ?? [];
  const save = () => writePrivateJson(file, stored);
  const newVersion = (id: string, stages: string[], value?: string): Version => ({
    id,
    stages,
    createdAt: now().toISOString(),
    ...(value !== undefined && { value }),
  });
  const missing = declared.filter(({ arn }) => !stored.some((secret) => secret.arn === arn));
  for (const { arn, name, generated } of missing) {
    const drawn = generated && randomText(generated.length, generated.punctuation);
    const versions = drawn === undefined ? [] : [newVersion(randomUUID(), ['AWSCURRENT'], drawn)];
    stored.push({ name, arn, createdAt: now().toISOString(), versions });
  }
  save();
  return { find: (id) => stored.find(({ name, arn }) => id === name || id === arn), save, now, newVersion };
};

const randomText = (length: number, withPunctuation: boolean): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const alphabet = withPunctuation ? `${letters}!#$%&()*+,-./:;<=>?@[]^_{|}~` : letters;
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
};
