import { join } from 'node:path';
import { createOperatorTool } from '../support/operator/operator-process.ts';
import { root } from '../support/repository.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { startStage } from '../support/stage/stage.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';

export const shop = 'https://shop.example';

/** A stage with a partner for each client, a storefront for the buyer, and the operator's tool. */
export const openPlace = async (names: readonly string[]) => {
  const stage = await startStage();
  const tool = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const operate = async <Printed>(...args: string[]): Promise<Printed> => {
    const outcome = await tool(...args, '--yes');
    if (!outcome.ok) throw new Error(`${args.join(' ')}: ${outcome.reason}`);
    return outcome.value as Printed;
  };
  const partners = new Map<string, Credentials>();
  const create = async (name: string) =>
    partners.set(name, await operate<Credentials>('partner', 'create', '--name', name, '--grant', 'group=G'));
  try {
    await Promise.all(names.map(create));
    const owner = ['--group', 'G', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
    await operate('storefront', 'create', '--name', 'leeds', ...owner, '--origin', shop);
  } catch (fault) {
    await stage.stop();
    throw fault;
  }
  return { stage, operate, partners, keys: openStageKeys(stage) };
};

export type Place = Awaited<ReturnType<typeof openPlace>>;
