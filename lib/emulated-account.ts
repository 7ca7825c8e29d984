/** The account that LocalStack deploys into; it is nobody's at AWS. */
export const emulatedAccount = '000000000000';
