/** A fault that the user can mend. The message is a sentence that says how. */
export class UserError extends Error {}
