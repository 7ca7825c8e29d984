import { createRequire } from 'node:module';
import type { oas31 } from 'zod-openapi';

const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2') as {
  convertV2: (input: object, options: object, done: (fault: unknown, made: Converted) => void) => void;
};

type Converted = { result: boolean; reason?: string; output?: { data: Collection }[] };
type Collection = { item: Folder[]; info: { name: string; schema: string; description: unknown } };
type Folder = { name: string; description?: string; item: Entry[] };
type Entry = { name: string; request: Request };
type Pair = { key: string; value: string; disabled?: boolean };
type Request = {
  method: string;
  url: { host: string[]; path: string[]; query: Pair[]; variable: Pair[] };
  header: Pair[];
  body?: { mode: string; raw?: string; urlencoded?: Pair[] };
  auth?: unknown;
};

/**
 * The collection that Postman, Bruno and Insomnia import: every request of the document, its addresses and credentials
 * by variables. Ids are left out, so that the same document makes the same file.
 */
export const collectionOf = async (document: oas31.OpenAPIObject): Promise<string> => {
  const { item, info } = await converted(document);
  const folders = item.filter(({ name }) => name !== 'Webhooks');
  return JSON.stringify({
    info: { name: info.name, schema: info.schema },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: folders.map(({ name, item: entries }) => ({ name, item: entries.map(entryOf) })),
  });
};

/** What a person fills in. */
const variables = {
  ...{ baseUrl: 'http://127.0.0.1:8787', authUrl: 'http://127.0.0.1:8787' },
  ...{ clientId: '', clientSecret: '', accessToken: '', sessionToken: '', uuid: '', id: '' },
};

const converted = (document: oas31.OpenAPIObject): Promise<Collection> => {
  const options = { folderStrategy: 'Tags', requestNameSource: 'Fallback', parametersResolution: 'Example' };
  const input = { type: 'string', data: JSON.stringify(document) };
  return new Promise((resolve, reject) => {
    convertV2(input, options, (fault, { output, reason }) => {
      const data = output?.[0]?.data;
      if (data) resolve(data);
      else reject(fault ?? new Error(reason));
    });
  });
};

const entryOf = ({ name, request }: Entry) => {
  const { method, url, header, body } = request;
  const path = url.path.join('/');
  return {
    name,
    request: {
      method,
      auth: authOf(path),
      url: {
        host: [/^oauth2|authorization-server$/.test(path) ? '{{authUrl}}' : '{{baseUrl}}'],
        path: url.path,
        query: url.query.map(({ key }) => ({ key, value: '', disabled: true })),
        variable: url.variable.map(({ key }) => ({ key, value: `{{${key}}}` })),
      },
      header: header.map(({ key, value }) =>
        isFixed(key) ? { key, value } : { key, value: '', disabled: true },
      ),
      ...(body && { body: bodyOf(body) }),
    },
    ...keeping(path),
  };
};

const isFixed = (name: string) => name === 'Content-Type' || name === 'Accept';

const authOf = (path: string) => {
  if (path === 'oauth2/jwks' || !/^(api|oauth2)\//.test(path)) return { type: 'noauth' };
  if (path.startsWith('oauth2'))
    return { type: 'basic', basic: pairs({ username: '{{clientId}}', password: '{{clientSecret}}' }) };
  const token = path.startsWith('api/v2') ? '{{accessToken}}' : '{{sessionToken}}';
  return { type: 'bearer', bearer: pairs({ token }) };
};

const pairs = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));

const fields: Record<string, string> = {
  grant_type: 'client_credentials',
  scope: 'nop2/read nop2/write',
  token: '{{accessToken}}',
};

const bodyOf = ({ mode, raw, urlencoded }: NonNullable<Request['body']>) =>
  mode === 'urlencoded'
    ? { mode, urlencoded: (urlencoded ?? []).flatMap(({ key }) => fieldOf(key)) }
    : { mode, raw, options: { raw: { language: 'json' } } };

const fieldOf = (key: string) => (fields[key] === undefined ? [] : [{ key, value: fields[key] }]);

/** A token that was answered is the one that the next request sends. */
const keeping = (path: string) => {
  if (path === 'oauth2/token')
    return scripted("pm.collectionVariables.set('accessToken', pm.response.json().access_token);");
  if (!path.startsWith('api/transaction')) return {};
  return scripted(
    "const token = pm.response.headers.get('authentication-token');",
    "if (token) pm.collectionVariables.set('sessionToken', token);",
  );
};

const scripted = (...exec: string[]) => ({
  event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
});
