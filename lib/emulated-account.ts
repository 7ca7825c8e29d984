/** The account that MiniStack and LocalStack deploy into; it is nobody's at AWS. */
export const emulatedAccount = '000000000000';
