import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { path } from '../deploy/places.ts';
import { root } from '../support/repository.ts';

const place = join(root, '.local', 'checks');

/** A file of a check: logs, the bill of materials, templates. */
export const inPlace = (name: string): string => join(place, name);

/** Python's tools are kept there from run to run, so nothing is taken away. */
export const makePlace = (): void => {
  mkdirSync(place, { recursive: true });
};

/** The project's own tools come first. */
export const project = { env: { ...process.env, PATH: path } };
