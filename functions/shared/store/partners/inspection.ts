import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { inspectionKey } from './keys.ts';

/** How far the inspection of partners' endpoints has come. */
export type Inspection = {
  /** The last one of the run before; absent = none yet. */
  lastClientId?: string;
  /** Client ids of those whose endpoint differed when it was last looked at. */
  differing: string[];
};

/** One record, of whoever ended last: runs at the same time inspect the same, which harms nobody. */
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
