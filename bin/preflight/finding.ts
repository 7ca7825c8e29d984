/** The result of a check. `open`: something is missing, and `ask` says how to get it. `unknown`: the check failed. */
export type Finding = { subject: string; state: 'good' | 'open' | 'unknown'; says: string; ask?: string };

export const good = (subject: string, says: string): Finding => ({ subject, state: 'good', says });

export const open = (subject: string, says: string, ask: string): Finding => ({
  subject,
  state: 'open',
  says,
  ask,
});
