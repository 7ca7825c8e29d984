import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../support/repository.ts';

/** Files of this run: logs, outputs, the cloud assembly, the imported file. */
export const workspace = join(root, '.local', 'test-deploy');

export const inWorkspace = (name: string): string => join(workspace, name);

export const emptyWorkspace = (): void => {
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace, { recursive: true });
};

const binaries = join(root, 'node_modules', '.bin');

/** The pinned Node and the pinned CDK come first. */
export const path = [binaries, process.env.PATH].join(delimiter);

/** A tool installed with the project's packages. */
export const binary = (name: string): string => join(binaries, name);
