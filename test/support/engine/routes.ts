import { resourcesOf, type StackTemplate } from './templates.ts';

/** `transactions ANY /api/v2/transaction -> v2-read`, from the resources of the template. */
export const routesOf = (service: StackTemplate): string[] =>
  integrationsOf(service)
    .map(
      ({ api, method, resource, type, functionId }) =>
        `${api} ${method} ${resource} -> ${type} ${functionId}`,
    )
    .sort();

/** A method of a resource of an API; `functionId` is the function's short name, such as `v2-read`. */
type Integrated = { api: string; method: string; resource: string; type: string; functionId: string };

/** The routes of the template. */
export const integrationsOf = (service: StackTemplate): Integrated[] => {
  const pathParts = resourcesOf(service, 'AWS::ApiGateway::Resource');
  const functions = resourcesOf(service, 'AWS::Lambda::Function');
  const pathOf = (id: string | undefined): string => {
    const resource = pathParts[id ?? '']?.Properties as
      | { PathPart: string; ParentId: { Ref?: string } }
      | undefined;
    return resource ? `${pathOf(resource.ParentId.Ref)}/${resource.PathPart}` : '';
  };
  return Object.values(resourcesOf(service, 'AWS::ApiGateway::Method')).map(({ Properties }) => {
    const { HttpMethod, ResourceId, RestApiId, Integration } = Properties as {
      HttpMethod: string;
      ResourceId: { Ref: string };
      RestApiId: { Ref: string };
      Integration: { Type: string; Uri: unknown };
    };
    const target = Object.keys(functions).find((id) => JSON.stringify(Integration.Uri).includes(`"${id}"`));
    const name = functions[target ?? functionBehind(service, Integration.Uri)]?.Properties.Description;
    return {
      ...{ api: apiOf(RestApiId), method: HttpMethod, resource: pathOf(ResourceId.Ref) },
      ...{ type: Integration.Type, functionId: String(name) },
    };
  });
};

/** The function of the alias that the text names. */
const functionBehind = (service: StackTemplate, uri: unknown): string => {
  const aliases = Object.entries(resourcesOf(service, 'AWS::Lambda::Alias'));
  const [, alias] = aliases.find(([id]) => JSON.stringify(uri).includes(`"${id}"`)) ?? [];
  return (alias?.Properties.FunctionName as { Ref: string } | undefined)?.Ref ?? '';
};

export const apiOf = ({ Ref }: { Ref: string }) => (Ref.startsWith('TokenApi') ? 'token' : 'transactions');
