import type { Delivery } from '../shared/domain/event/delivery.ts';
import type { Partner } from '../shared/domain/partner.ts';
import { pairsOf, type QueryParameters } from '../shared/domain/query/parameters.ts';
import { cursorSealOf, type SealDeps } from '../shared/http/cursor-seal.ts';
import { weakTag } from '../shared/http/entity-tag.ts';
import { type LinkFacts, type Links, linkHeader } from '../shared/http/links.ts';
import { type HandlerResult, notFound } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { type HttpResponse, json } from '../shared/http/response.ts';
import { presentDelivery, presentWhole } from './event-body.ts';
import { readEventQuery, writeCursor } from './event-query.ts';
import { type EventReadDeps, readableOf, readEventPage } from './readable-events.ts';

type PartnerRequest = HttpEvent & { partner: Partner };

/** The partner's events (V2-7). Without totals, because counting would have to check every event. */
export const listEvents = async (
  { partner, multiValueQueryStringParameters }: PartnerRequest,
  deps: EventReadDeps & SealDeps & { baseUrl: string },
): Promise<HandlerResult> => {
  const seal = cursorSealOf(partner.clientId, deps);
  const query = await readEventQuery(multiValueQueryStringParameters, seal);
  if (!query.ok) return queryProblem(query);
  const { parameters, perPage } = query.value;
  const { deliveries, next } = await readEventPage(partner, query.value, deps);
  const links = eventLinks(
    { href: `${deps.baseUrl}/v2/event`, parameters: { ...parameters, 'per-page': [String(perPage)] } },
    next && (await writeCursor(next, parameters, seal)),
  );
  return tagged(
    json(
      200,
      { data: deliveries.map(presentDelivery), _links: links, _meta: { perPage } },
      linkHeader(links),
    ),
  );
};

const eventLinks = (
  { href, parameters }: Pick<LinkFacts, 'href' | 'parameters'>,
  cursor: string | undefined,
): Links => {
  const { after: _, ...first } = parameters;
  const at = (asked: QueryParameters) => ({ href: `${href}?${new URLSearchParams(pairsOf(asked))}` });
  return {
    self: at(parameters),
    first: at(first),
    ...(cursor !== undefined && { next: at({ ...first, after: [cursor] }) }),
  };
};

/** An unknown event, another partner's, and one that the partner may not read now get the same 404 (V2-7). */
export const showEvent = async (
  { partner }: PartnerRequest,
  id: string,
  deps: EventReadDeps,
): Promise<HandlerResult> => {
  const delivery = await findOwn(partner, id, deps);
  if (!delivery) return notFound();
  const bodies = (await deps.deliveryLog.event(id))?.bodies;
  return tagged({ ...json(200, undefined), body: presentWhole(delivery, bodies, partner) });
};

/** Ids are UUIDs. Nothing is read for any other text. */
const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * An event of the partner's own that it may read now. First reads only the partner's own row, or without one the
 * event's as one of its recipients, so that the time of an answer says nothing about others' events (S-36).
 */
export const findOwn = async (
  partner: Partner,
  eventId: string,
  deps: EventReadDeps,
): Promise<Delivery | undefined> => {
  const { clientId } = partner;
  const own = idShape.test(eventId) ? await deps.deliveryLog.delivery({ eventId, clientId }) : undefined;
  const [delivery] = await readableOf(partner, own ? [own] : [], deps);
  return delivery;
};

const tagged = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ETag: weakTag(response.body) },
});
