/** One version of a secret; one that a rotation has only begun has no value yet. */
export type Version = { id: string; value?: string; stages: string[]; createdAt: string };

export const versionAt = (versions: readonly Version[], stage: string): Version | undefined =>
  versions.find(({ stages }) => stages.includes(stage));

/** The versions with a stage at this one and at no other; who loses AWSCURRENT becomes AWSPREVIOUS, as on AWS. */
export const withStage = (versions: readonly Version[], id: string, stage: string): Version[] => {
  const former = versionAt(versions, stage);
  const moved = versions.map((version) => {
    const others = version.stages.filter((one) => one !== stage);
    return { ...version, stages: version.id === id ? [...others, stage] : others };
  });
  const isHandedOver = stage === 'AWSCURRENT' && former !== undefined && former.id !== id;
  return isHandedOver ? withStage(moved, former.id, 'AWSPREVIOUS') : moved;
};

/** AWS keeps versions without a stage for a while, and nobody should count on them. */
export const withoutUnused = (versions: readonly Version[]): Version[] =>
  versions.filter(({ stages }) => stages.length > 0);
