/** A mistake that the operator can correct. Commands print its sentence without a stack trace. */
export class UserError extends Error {}
