/** Facts of an event of our service, without its content. */
export type EventFacts = { type: string; uuid?: string; clientId?: string };

type OwnEvent = {
  'detail-type'?: unknown;
  detail?: { to?: unknown; message?: { detail?: { uuid?: unknown } } };
};

export const eventFactsOf = (event: unknown): EventFacts => {
  const { 'detail-type': type, detail } = (event ?? {}) as OwnEvent;
  const uuid = detail?.message?.detail?.uuid;
  return {
    type: String(type),
    ...(typeof uuid === 'string' && { uuid }),
    ...(typeof detail?.to === 'string' && { clientId: detail.to }),
  };
};
