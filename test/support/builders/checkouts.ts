import { join } from 'node:path';
import { createOperatorTool } from '../../../localstack/demo/operator-tool.ts';
import { root } from '../repository.ts';
import { aBrowserOn } from '../stage/buyer-client.ts';
import { aPartnerProgram, type Credentials } from '../stage/partner-client.ts';
import type { OpenStage } from '../stage/shared-stage.ts';

export const shop = 'https://shop.example';
const storefronts = [
  { name: 'north', group: 'G', franchise: 'F', location: 'N', branch: 'North' },
  { name: 'south', group: 'G', franchise: 'F', location: 'S', branch: 'South' },
  { name: 'harbour', group: 'H', franchise: 'F', location: 'Q', branch: 'Harbour' },
];

/** Lets one shop of a stage sell for two locations of group G, and partners that see more or less of it. */
export const openCheckouts = async (stage: OpenStage) => {
  const tool = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const operator = async (...words: string[]): Promise<unknown> => {
    const outcome = await tool(...words);
    if (outcome.ok) return outcome.value;
    throw new Error(outcome.reason);
  };
  for (const storefront of storefronts) {
    const words = Object.entries(storefront).flatMap(([name, value]) => [`--${name}`, value]);
    const origin = storefront.group === 'G' ? shop : 'https://harbour.example';
    await operator('storefront', 'create', ...words, '--origin', origin);
  }
  const aPartner = async (name: string, grant: string, oauthScopes = 'nop2/read nop2/write') => {
    const words = ['--name', name, '--grant', grant, '--oauth-scopes', oauthScopes];
    const created = await operator('partner', 'create', ...words);
    return aPartnerProgram(stage, created as Credentials, oauthScopes);
  };
  const [dealer, northOnly, reader, stranger] = await Promise.all([
    aPartner('dealer', 'group=G'),
    aPartner('north-only', 'group=G,location=N'),
    aPartner('reader', 'group=G', 'nop2/read'),
    aPartner('stranger', 'group=H'),
  ]);
  return {
    stage,
    operator,
    aBuyer: () => aBrowserOn(stage, shop),
    ...{ dealer, northOnly, reader, stranger },
  };
};

export type Checkouts = Awaited<ReturnType<typeof openCheckouts>>;
