import { configOf, type StageConfig } from './config.ts';
import { emulatedAccount } from './emulated-account.ts';

/**
 * The stage that `-c stage=` names, for the account that the CDK's command line found: any stage may go to an emulator's.
 * Throws, in one sentence, without a name, and when the local stage would go to AWS: it keeps no data, and has no addresses
 * there.
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
 * The stage as `-c shift=at-once` deploys it. CodeDeploy takes back what it shifts while an alarm rings, so what mends an
 * alarm that rings already would be taken back as well (D-12).
 */
export const withShift = (config: StageConfig, shift: string | undefined): StageConfig => {
  if (shift === undefined) return config;
  if (shift !== 'at-once')
    throw new Error(`Unknown shift "${shift}": leave it out, or give -c shift=at-once.`);
  return { ...config, shiftsAtOnce: true };
};
