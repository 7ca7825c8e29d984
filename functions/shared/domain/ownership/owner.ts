/**
 * The owner of a transaction (interface 2.2). Group, franchise and location are opaque and may contain any character.
 */
export type NdMeta = {
  group: string;
  franchise: string;
  branch: string;
  location: string;
  /** Empty if unknown. Null in some imported records, which are shown as empty (SHAPE-1). */
  groupSoftware: string | null;
};
