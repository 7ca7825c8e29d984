import type { StageConfig } from './config.ts';

/** The account of LocalStack, which does not exist at AWS. */
export const emulatedAccount = '000000000000';

/** Whether a stage runs on this machine, locally or in an emulator: its bus may then call loopback addresses. */
export const isOnThisMachine = ({ name, account }: Pick<StageConfig, 'name' | 'account'>): boolean =>
  name === 'local' || account === emulatedAccount;
