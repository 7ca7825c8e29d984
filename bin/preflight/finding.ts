/** What one look at the account came to. `open` is something to ask for or to make first; `ask` says how. */
export type Finding = { subject: string; state: 'good' | 'open' | 'unknown'; says: string; ask?: string };

export const good = (subject: string, says: string): Finding => ({ subject, state: 'good', says });

export const open = (subject: string, says: string, ask: string): Finding => ({
  subject,
  state: 'open',
  says,
  ask,
});
