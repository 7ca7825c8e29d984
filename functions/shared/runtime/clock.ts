/** The present time, passed in so that tests can stop it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
