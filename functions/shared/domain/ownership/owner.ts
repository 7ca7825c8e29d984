/** Who owns a transaction (interface 2.2). Group, franchise and location are opaque and may hold any character. */
export type NdMeta = {
  group: string;
  franchise: string;
  branch: string;
  location: string;
  /** Empty where none is known; null in some records of an earlier form, which are shown as empty (SHAPE-1). */
  groupSoftware: string | null;
};
