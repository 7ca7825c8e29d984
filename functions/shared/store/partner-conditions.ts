import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Whether the condition of a single write failed; any other failure is thrown. */
export const isRefused = async (sent: Promise<unknown>): Promise<boolean> => {
  try {
    await sent;
    return false;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return true;
    throw error;
  }
};

/** Whether the condition of the first write of an atomic group failed; any other failure is thrown. */
export const isFirstRefused = async (sent: Promise<unknown>): Promise<boolean> => {
  try {
    await sent;
    return false;
  } catch (error) {
    if (isCancelled(error) && error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed') return true;
    throw error;
  }
};

const isCancelled = (error: unknown): error is TransactionCanceledException =>
  error instanceof Error && error.name === 'TransactionCanceledException';
