import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Only its owner may read it: it may hold secrets. It appears whole or not at all. */
export const writePrivateJson = (file: string, value: unknown): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

export const readJsonFile = <Value>(file: string): Value | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
