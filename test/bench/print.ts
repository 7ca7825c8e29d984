import Table from 'cli-table3';

/** Prints figures as a table. */
export const print = (head: string[], rows: (string | number)[][]) => {
  const table = new Table({ style: { head: [], border: [] }, head });
  table.push(...rows);
  console.log(table.toString());
};

/** A goal, and whether it is reached. */
export const judged = (isReached: boolean, goal: string): string =>
  `${goal}: ${isReached ? 'reached' : 'missed'}`;
