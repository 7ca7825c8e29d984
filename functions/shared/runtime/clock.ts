/** The time now; passed in everywhere so that tests hold it still. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
