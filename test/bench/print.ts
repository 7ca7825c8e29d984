import Table from 'cli-table3';

/** Prints figures as a table. */
export type Print = (head: string[], rows: (string | number)[][]) => void;

export const print: Print = (head, rows) => {
  const table = new Table({ style: { head: [], border: [] }, head });
  table.push(...rows);
  console.log(table.toString());
};
