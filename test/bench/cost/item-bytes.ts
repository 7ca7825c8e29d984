import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

/** Bytes of all items of tables, by DynamoDB's rules ("Item sizes and formats" of its developer guide). */
export const bytesOfTables = async (documents: DynamoDBDocumentClient, tables: readonly string[]) => {
  let bytes = 0;
  for (const TableName of tables)
    for await (const { Items = [] } of paginateScan({ client: documents }, { TableName }))
      bytes += Items.reduce((sum, item) => sum + sizeOf(item) - containerBytes, 0);
  return bytes;
};

/** What a list or a map takes beside its members. */
const containerBytes = 3;

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).replace('.', '').length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set || Array.isArray(value))
    return [...value].reduce((sum, member) => sum + sizeOf(member) + 1, containerBytes);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + Buffer.byteLength(name) + sizeOf(member) + 1,
    containerBytes,
  );
};
