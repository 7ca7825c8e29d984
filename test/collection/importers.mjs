// What Bruno and Insomnia make of a collection, in the form of `Import`. It stands beside their packages when it runs.
import { readFileSync } from 'node:fs';
import { postmanToBruno } from '@usebruno/converters';
import insomnia from 'insomnia-importers';

const textOf = ({ name, value }) => `${name}: ${value}`;

/** Variables and scripts of Bruno are in its own language. */
const ofBruno = ({ items, root }) => {
  const requests = items.flatMap((folder) => folder.items ?? []);
  return {
    requests: requests.map(({ name, request: { method, url, headers, body, auth } }) => ({
      ...{ name, method, url },
      headers: headers.filter(({ enabled }) => enabled).map(textOf),
      body: body.mode === 'formUrlEncoded' ? body.formUrlEncoded.map(textOf) : (body.json ?? undefined),
      auth: [
        auth.mode === 'none' ? 'noauth' : auth.mode,
        ...Object.values(auth.basic ?? {}),
        ...Object.values(auth.bearer ?? {}),
      ],
    })),
    variables: root.request.vars.req.map(({ name }) => name),
    scripts: requests.flatMap(({ request: { script } }) => [script.req ?? '', script.res ?? '']),
  };
};

/** The collection's folder is the first resource. Insomnia takes no scripts. */
const ofInsomnia = (resources) => ({
  requests: resources
    .filter(({ _type }) => _type === 'request')
    .map(({ name, method, url, headers, body, authentication: { type = 'noauth', ...given } }) => ({
      ...{ name, method, url },
      headers: headers.map(textOf),
      body: body.params ? body.params.map(textOf) : body.text,
      auth: [type, ...[given.username, given.password, given.token].filter((value) => value !== undefined)],
    })),
  variables: Object.keys(resources[0]?.environment ?? {}),
  scripts: [],
});

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const { collection } = await postmanToBruno(JSON.parse(text));
const { data } = await insomnia.convert(text);
console.log(JSON.stringify({ Bruno: ofBruno(collection), Insomnia: ofInsomnia(data.resources) }));
