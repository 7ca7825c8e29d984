import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type DataFolder, readJsonFile, writePrivateJson } from './data-folder.ts';
import { Refusal } from './refusal.ts';
import type { DemoEstate, StackFile } from './stack-file.ts';
import type { Say } from './stage.ts';

type Where = { root: string; folder: DataFolder; say: Say };

export const loadDemo = async (stack: StackFile, { folder }: Where): Promise<DemoEstate> => {
  void stack;
  void spawn;
  void once;
  void join;
  void Refusal;
  void writePrivateJson;
  return readJsonFile<DemoEstate>(folder.demo) ?? { partners: [], storefronts: [] };
};
