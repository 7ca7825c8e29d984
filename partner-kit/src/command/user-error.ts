/** What a person can mend, in one sentence that says how. */
export class UserError extends Error {}
