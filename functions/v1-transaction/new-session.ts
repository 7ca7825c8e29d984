import type { NdMeta } from '../shared/domain/ownership/owner.ts';
import { newTransaction } from '../shared/domain/transaction/new-transaction.ts';
import { makeTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import { type RandomBytes, randomText } from '../shared/runtime/random-text.ts';

export type NewTransactionDeps = { clock: Clock; random: RandomBytes };

/** 26 letters and digits are 154 random bits (S-24). */
export const newSession = ({ random }: Pick<NewTransactionDeps, 'random'>): string => randomText(random, 26);

/** A transaction of this session in which nothing is entered yet (V1-1). */
export const untouchedTransaction = (session: string, owner: NdMeta, { clock, random }: NewTransactionDeps) =>
  newTransaction({ uuid: makeTransactionUuid(random(16)), owner, session, now: clock() });
