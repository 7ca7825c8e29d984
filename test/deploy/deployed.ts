import { harbourShop } from '../journeys/imported-transactions.ts';
import { sendTo } from '../journeys/send.ts';
import { type OwnStage, worldOf } from '../journeys/world.ts';
import type { Emulator } from './account.ts';
import type { Outputs } from './cdk.ts';
import { functionLogs } from './logs.ts';
import { operatorOf } from './operator.ts';
import { workspace } from './places.ts';

/** The service as deployed, for journeys: its two addresses, its operator's tool and its logs. */
export const deployedAt = (emulator: Emulator, outputs: Outputs): OwnStage => {
  const stage = {
    baseUrl: outputNamed(outputs, 'BaseUrl'),
    authUrl: outputNamed(outputs, 'AuthUrl'),
    folder: workspace,
    send: sendTo(emulator.endpoint),
    operator: operatorOf(emulator),
    logLines: () => functionLogs(emulator),
  };
  return worldOf(stage, harbourShop);
};

export const outputNamed = (outputs: Outputs, name: string) => {
  const value = Object.values(outputs)
    .map((stack) => stack[name])
    .find(Boolean);
  if (value === undefined) throw new Error(`No stack has an output ${name}: ${JSON.stringify(outputs)}`);
  return value.replace(/\/$/, '');
};
