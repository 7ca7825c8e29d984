import type { Sight } from '../shared/domain/query/projection.ts';

/** No V1 caller is shown the token of a payment (SHOW-1). */
export const sight: Sight = { showsPaymentTokens: false };
