import { rmSync } from 'node:fs';
import { afterAll, beforeEach } from '@jest/globals';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import { aWorkspace, memoryDeps, now, operate } from './operator.ts';

export let workspace: ReturnType<typeof aWorkspace>;
export let stage = memoryDeps();

/** The operator's tool over stores in memory, which are empty before each test of the file that calls this at its top. */
export const useTool = () => {
  workspace = aWorkspace();
  afterAll(() => rmSync(workspace.folder, { recursive: true }));
  beforeEach(() => begin());
};

export const begin = (changes: Parameters<typeof memoryDeps>[0] = {}) => {
  stage = memoryDeps(changes);
};

/** A command as it is typed, or its words where one of them has a space. */
type Command = string | string[];
const wordsOf = (command: Command) => (typeof command === 'string' ? command.split(' ') : command);

export const run = (command: Command, typed?: string) =>
  operate(stage.deps, workspace.stackFile, wordsOf(command), typed);
export const json = async (command: Command) =>
  JSON.parse((await run([...wordsOf(command), '--json'])).printed);
export const createPartner = (name = 'acme', ...more: string[]) =>
  json(['partner', 'create', '--name', name, '--grant', 'group=G', ...more]);

export const leeds: Storefront = {
  name: 'leeds',
  owner: { group: 'G', franchise: 'F', branch: 'Leeds', location: 'L', groupSoftware: null },
  origins: ['https://shop.example'],
  retired: false,
  createdAtMs: now.getTime(),
};
