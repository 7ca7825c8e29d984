import type { StageConfig } from './config.ts';

/** The account that LocalStack deploys into; it is nobody's at AWS. */
export const emulatedAccount = '000000000000';

/** Whether a stage is the local one, or deployed to an emulator: its bus knows a target at once, and may call this machine. */
export const isOnThisMachine = ({ name, account }: Pick<StageConfig, 'name' | 'account'>): boolean =>
  name === 'local' || account === emulatedAccount;
