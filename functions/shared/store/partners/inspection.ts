import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { inspectionKey } from './keys.ts';

/** The progress of polling partners' endpoints. */
export type Inspection = {
  /** The last one of the previous invocation. Absent if there is none. */
  lastClientId?: string;
  /** Client ids of partners whose endpoint differed at its last poll. */
  differing: string[];
};

/** One record, written by whoever ends last. Concurrent invocations poll the same partners, which is harmless. */
export type InspectionStore = {
  read: () => Promise<Inspection>;
  write: (inspection: Inspection) => Promise<void>;
};

/** In the Partners table, in a partition of its own. */
export const createInspectionStore = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): InspectionStore => ({
  read: async () => {
    const { Item = {} } = await documents.send(consistentGet(partnersTable, inspectionKey));
    const { lastClientId, differing = [] } = Item as Partial<Inspection>;
    return { ...(lastClientId !== undefined && { lastClientId }), differing };
  },
  write: async (inspection) => {
    await documents.send(
      new PutCommand({ TableName: partnersTable, Item: { ...inspectionKey, ...inspection } }),
    );
  },
});
