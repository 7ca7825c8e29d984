/** A version of a secret. Until a rotation's first step it has no value. */
export type Version = { id: string; value?: string; stages: string[]; createdAt: string };

export const versionAt = (versions: readonly Version[], stage: string): Version | undefined =>
  versions.find(({ stages }) => stages.includes(stage));

/** Moves a stage to this version. As on AWS, the version that loses AWSCURRENT gets AWSPREVIOUS. */
export const withStage = (versions: readonly Version[], id: string, stage: string): Version[] => {
  const former = versionAt(versions, stage);
  const moved = versions.map((version) => {
    const others = version.stages.filter((held) => held !== stage);
    return { ...version, stages: version.id === id ? [...others, stage] : others };
  });
  const isHandedOver = stage === 'AWSCURRENT' && former !== undefined && former.id !== id;
  return isHandedOver ? withStage(moved, former.id, 'AWSPREVIOUS') : moved;
};

/** Removes versions without a stage. AWS keeps them for a while, which nobody should rely on. */
export const withoutUnused = (versions: readonly Version[]): Version[] =>
  versions.filter(({ stages }) => stages.length > 0);
