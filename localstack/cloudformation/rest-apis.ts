import type { GatewayResponse, ResolvedResource } from './model.ts';
import type { Route } from './routes.ts';

/** The route of an API's method; undefined for a method without a function. */
export const routeOf = (entries: ResolvedResource[], { properties }: ResolvedResource): Route | undefined => {
  const { Uri } = (properties.Integration ?? {}) as { Uri?: string };
  const functionId = /:function:([^/:]+)/.exec(Uri ?? '')?.[1];
  if (functionId === undefined) return undefined;
  const resource = `/${resourcePath(entries, String(properties.ResourceId)).join('/')}`;
  return { resource, method: String(properties.HttpMethod), api: String(properties.RestApiId), functionId };
};

const resourcePath = (entries: ResolvedResource[], id: string): string[] => {
  const found = entries.find(
    (entry) => entry.id === id && entry.resource.Type === 'AWS::ApiGateway::Resource',
  );
  if (!found) return [];
  return [...resourcePath(entries, String(found.properties.ParentId)), String(found.properties.PathPart)];
};

export const gatewayResponseOf = ({ properties }: ResolvedResource): GatewayResponse => {
  const [contentType, template] =
    Object.entries((properties.ResponseTemplates ?? {}) as Record<string, string>)[0] ?? [];
  return {
    api: String(properties.RestApiId),
    type: String(properties.ResponseType),
    ...(properties.StatusCode ? { status: Number(properties.StatusCode) } : {}),
    ...(contentType && template ? { body: { contentType, template } } : {}),
    headers: (properties.ResponseParameters ?? {}) as Record<string, string>,
  };
};
