/** A segment of a path as the caller meant it; one that is badly encoded stands for itself. */
export const decodedSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
