/** A mistake that a person can mend: commands print its one sentence, without a stack trace. */
export class UserError extends Error {}
