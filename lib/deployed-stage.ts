import { configOf, type StageConfig } from './config.ts';
import { emulatedAccount } from './emulated-account.ts';

/**
 * The stage of `-c stage=`. `found` is the account of the credentials; any stage may be deployed to an emulator's. Throws
 * without a name, and for a deployment of the local stage to AWS.
 */
export const stageToDeploy = (name: string | undefined, found: string | undefined): StageConfig => {
  if (name === undefined) throw new Error('Name the stage: -c stage=staging or -c stage=production.');
  if (name === 'local' && found !== undefined && found !== emulatedAccount)
    throw new Error(
      `The stage local is for this machine and for emulators, not for account ${found}: choose staging or production.`,
    );
  return found === emulatedAccount ? { ...configOf(name), account: found } : configOf(name);
};

/**
 * The stage with `-c shift=at-once`. Otherwise CodeDeploy would roll back a fix while the alarm that it is for still fires
 * (D-12).
 */
export const withShift = (config: StageConfig, shift: string | undefined): StageConfig => {
  if (shift === undefined) return config;
  if (shift !== 'at-once')
    throw new Error(`Unknown shift "${shift}": leave it out, or give -c shift=at-once.`);
  return { ...config, shiftsAtOnce: true };
};
