/** Who owns a transaction (interface 2.2). Group, franchise and location are opaque and may hold any character. */
export type NdMeta = {
  group: string;
  franchise: string;
  branch: string;
  location: string;
  groupSoftware: string | null;
};
