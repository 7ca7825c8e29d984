import { hashUnderNewest } from '../shared/auth/client-secret.ts';
import type { TokenLog } from '../shared/runtime/logger.ts';
import type { PartnerNotes } from '../shared/store/partners/notes.ts';
import type { AuthenticatedClient } from './authenticate-client.ts';

export type NoteUseDeps = { partners: Pick<PartnerNotes, 'noteUse' | 'rehash'>; log: TokenLog };

/**
 * Records the use of a secret: its day, once a day (S-20), and a hash under the newest pepper, once after a rotation
 * (TOK-3). A fault refuses nobody, because the next use records the same.
 */
export const noteUse = async (
  { profile: { partner, uses }, secret, peppers }: AuthenticatedClient,
  { clientSecret, now }: { clientSecret: string; now: Date },
  { partners, log }: NoteUseDeps,
): Promise<void> => {
  const { clientId } = partner;
  const [day = ''] = now.toISOString().split('T');
  try {
    if (uses[secret.id] !== day) await partners.noteUse(clientId, secret.id, day);
    if (secret.pepperId !== peppers.newest)
      await partners.rehash(clientId, secret, hashUnderNewest(clientSecret, peppers));
  } catch (fault) {
    log('useNotNoted', { clientId }, fault);
  }
};
