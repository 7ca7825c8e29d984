import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner may read, since it may hold secrets. It appears complete or not at all. */
export const writePrivateJson = (file: string, value: unknown): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

export const readJsonFile = <Value>(file: string): Value | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
