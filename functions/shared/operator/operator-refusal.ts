/** Why a command did not do what was asked: one sentence that a person can act on. */
export class OperatorRefusal extends Error {}
