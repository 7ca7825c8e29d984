/** A sample request, and the members that its answer has. */
export type Request = {
  method: string;
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  auth: 'bearer' | 'basic' | undefined;
  json?: unknown;
  form?: Record<string, string>;
  answer: 'json' | 'text' | 'nothing';
};

export const curl = ({ method, url, query, headers, auth, json, form }: Request): string => {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const address = [url, ...(search.length > 0 ? [search.join('&')] : [])].join('?');
  const usual = json !== undefined || form ? 'POST' : 'GET';
  const parts = [
    `curl ${address.includes('[') ? '-g ' : ''}${method === usual ? '' : `-X ${method} `}"${address}"`,
    ...(auth === 'bearer' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(auth === 'basic' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode "${name}=${value}"`),
    ...(json === undefined ? [] : [`-d '${JSON.stringify(json, null, 2).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(' \\\n  ');
};

export const php = ({ method, url, query, headers, auth, json, form, answer }: Request): string => {
  const address = isEmpty(query)
    ? quoted(url)
    : `${quoted(`${url}?`)} . http_build_query(${phpLiteral(query)})`;
  const lines = [
    ...(auth === 'bearer' ? ['"Authorization: Bearer $token"'] : []),
    ...Object.entries(headers).map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
  return [
    ...['<?php', `$request = curl_init(${address});`],
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(auth === 'basic' ? ['    CURLOPT_USERPWD => "$clientId:$clientSecret",'] : []),
    ...(lines.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [${inLines(lines, four)}],`]),
    ...(form ? [`    CURLOPT_POSTFIELDS => http_build_query(${phpLiteral(form, 1)}),`] : []),
    ...(json === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${phpLiteral(json, 1)}),`]),
    ...[']);', phpAnswers[answer]],
  ].join('\n');
};

const phpAnswers = {
  json: '$answer = json_decode(curl_exec($request), true);',
  text: '$answer = curl_exec($request);',
  nothing: 'curl_exec($request);',
};

export const python = ({ method, url, query, headers, auth, json, form, answer }: Request): string => {
  const sent = [
    ...(auth === 'bearer' ? ['"Authorization": f"Bearer {token}"'] : []),
    ...Object.entries(headers).map(([name, value]) => `"${name}": "${value}"`),
  ];
  return [
    ...['import requests', ''],
    `answer = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(isEmpty(query) ? [] : [`    params=${pythonLiteral(query, 1)},`]),
    ...(auth === 'basic' ? ['    auth=(client_id, client_secret),'] : []),
    ...(sent.length === 0 ? [] : [`    headers={${inLines(sent, four)}},`]),
    ...(form ? [`    data=${pythonLiteral(form, 1)},`] : []),
    ...(json === undefined ? [] : [`    json=${pythonLiteral(json, 1)},`]),
    ...[')', 'answer.raise_for_status()', ...pythonAnswers[answer]],
  ].join('\n');
};

const pythonAnswers = { json: ['print(answer.json())'], text: ['print(answer.text)'], nothing: [] };

export const typescript = ({ method, url, query, headers, auth, json, form, answer }: Request): string => {
  const all = {
    ...(auth === 'bearer' && { Authorization: "'Bearer ' + token" }),
    ...(auth === 'basic' && { Authorization: "'Basic ' + btoa(clientId + ':' + clientSecret)" }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [keyOf(name), quoted(value)])),
  };
  const sent = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const init = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(sent.length === 0 ? [] : [`  headers: {${inLines(sent, '  ', ' ')}},`]),
    ...(form ? [`  body: new URLSearchParams(${scriptLiteral(form, 1)}),`] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${scriptLiteral(json, 1)}),`]),
  ];
  const address = isEmpty(query) ? quoted(url) : `${quoted(`${url}?`)} + query`;
  return [
    ...(isEmpty(query) ? [] : [`const query = new URLSearchParams(${scriptLiteral(query)});`]),
    init.length === 0
      ? `const answer = await fetch(${address});`
      : [`const answer = await fetch(${address}, {`, ...init, '});'].join('\n'),
    scriptAnswers[answer],
  ].join('\n');
};

const scriptAnswers = {
  json: 'console.log(await answer.json());',
  text: 'console.log(await answer.text());',
  nothing: 'console.log(answer.status);',
};

/** One part stays on the line of its brackets, several get lines of their own. */
const inLines = (parts: readonly string[], indent: string, room = ''): string =>
  parts.length > 1
    ? `\n${parts.map((part) => `${indent.repeat(2)}${part},\n`).join('')}${indent}`
    : `${room}${parts.join('')}${room}`;

const isEmpty = (value: object) => Object.keys(value).length === 0;
const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
const keyOf = (name: string) => (/^\w+$/.test(name) ? name : quoted(name));

type Style = {
  indent: string;
  text?: (value: string) => string;
  brackets: [string, string];
  pair: (name: string) => string;
  words: Record<string, string>;
};

/** A JSON value as a literal of a language. `depth` is the indentation of its lines. */
const literal =
  ({ indent, text = quoted, brackets, pair, words }: Style) =>
  (value: unknown, depth = 0): string => {
    const write = (one: unknown, at: number): string => {
      if (typeof one === 'string') return text(one);
      if (one === null || typeof one !== 'object') return words[String(one)] ?? String(one);
      const isList = Array.isArray(one);
      const [open, close] = isList ? ['[', ']'] : brackets;
      const parts = isList
        ? one.map((part) => write(part, at + 1))
        : Object.entries(one).map(([name, part]) => `${pair(name)}${write(part, at + 1)}`);
      if (parts.length === 0) return `${open}${close}`;
      const inner = parts.map((part) => `${indent.repeat(at + 1)}${part},\n`).join('');
      return `${open}\n${inner}${indent.repeat(at)}${close}`;
    };
    return write(value, depth);
  };

const four = '    ';
const phpLiteral = literal({
  indent: four,
  brackets: ['[', ']'],
  pair: (name) => `${quoted(name)} => `,
  words: {},
});
const pythonLiteral = literal({
  indent: four,
  text: JSON.stringify,
  brackets: ['{', '}'],
  pair: (name) => `${JSON.stringify(name)}: `,
  words: { null: 'None', true: 'True', false: 'False' },
});
const scriptLiteral = literal({
  indent: '  ',
  brackets: ['{', '}'],
  pair: (name) => `${keyOf(name)}: `,
  words: {},
});
