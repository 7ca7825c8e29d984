import { emulatedAccount } from './emulated-account.ts';

/** Whether a Node came as an npm package, which the Node project does not publish (S-84). */
export const isPackagedNode = (execPath: string): boolean => /[\\/]node_modules[\\/]/.test(execPath);

/** How to replace it. Without links to programs, packages put nothing before the `node` of the PATH. */
export const installOwnNode =
  'install the Node of .nvmrc from nodejs.org, then the packages with npm ci --ignore-scripts --no-bin-links';

/** Throws where a packaged Node would deploy to AWS. The CDK sets `account` when it has credentials for it. */
export const refusePackagedNode = (account: string | undefined, execPath: string): void => {
  const hasRights = account !== undefined && account !== emulatedAccount;
  if (hasRights && isPackagedNode(execPath))
    throw new Error(
      `A Node that an npm package brought may not get rights in account ${account}: ${installOwnNode}.`,
    );
};
