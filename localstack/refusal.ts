/** A reason not to start that a person can act on: printed as one sentence, without a stack trace. */
export class Refusal extends Error {}
