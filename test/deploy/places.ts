import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { root } from '../support/repository.ts';

/** Kept from run to run: the Python environment that holds MiniStack. */
export const virtualEnvironment = join(root, '.local', 'ministack');

/** Files of this run: logs, outputs, the cloud assembly, the imported file. Named after the folder of what runs. */
export const workspace = join(root, '.local', `test-${basename(dirname(process.argv[1] ?? ''))}`);

export const inWorkspace = (name: string): string => join(workspace, name);

export const temporary = join(workspace, 'tmp');

/** MiniStack unpacks functions there; its CommonJS starter beside them must not count as part of this ESM package. */
export const emptyWorkspace = (): void => {
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  writeFileSync(join(temporary, 'package.json'), '{ "type": "commonjs" }\n');
};

const binaries = join(root, 'node_modules', '.bin');

/** The pinned Node and the pinned CDK come first. */
export const path = [binaries, process.env.PATH].join(delimiter);

/** A tool installed with the project's packages. */
export const binary = (name: string): string => join(binaries, name);
