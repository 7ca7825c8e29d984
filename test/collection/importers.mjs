// What Bruno and Insomnia make of a collection. It stands beside their packages when it runs: the file is its argument.
import { readFileSync } from 'node:fs';
import { postmanToBruno } from '@usebruno/converters';
import insomnia from 'insomnia-importers';

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const { collection: bruno } = await postmanToBruno(JSON.parse(text));
const { data } = await insomnia.convert(text);
console.log(JSON.stringify({ bruno, insomnia: data.resources }));
