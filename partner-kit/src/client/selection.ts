import type { ElementName, Elements, OwnProperties } from '../types.ts';

/*
 * What an answer holds, worked out from `expand` and `fields` as the service does it (FLD-1 to FLD-4, EXP-1).
 */

/** Names that a type lists by itself; of an open object not those that it merely allows. */
type ListedKey<Value> = keyof {
  [Key in keyof Value as string extends Key ? never : number extends Key ? never : Key]: 1;
} &
  string;

type IsOpen<Value> = string extends keyof Value ? true : false;

/** Paths below a value: `value`, `details.brand`, `*`. An open object takes any name beside those that it lists. */
type PathBelow<Value, Depth extends 1[] = []> = Depth['length'] extends 4
  ? string & {}
  : Value extends readonly (infer Item)[]
    ? PathBelow<Item, Depth>
    : Value extends object
      ?
          | '*'
          | {
              [Key in ListedKey<Value>]: Key | `${Key}.${PathBelow<Value[Key & keyof Value], [...Depth, 1]>}`;
            }[ListedKey<Value>]
          | (IsOpen<Value> extends true ? string & {} : never)
      : never;

/** A name for `expand`: an element, or a path below one, which expands the same. */
export type Expand = ElementName | `${ElementName}.${string}`;

/** A name for `fields`: an own property, `*` for all of them, an element's name, or a path below either. */
export type Field =
  | PathBelow<OwnProperties>
  | ElementName
  | { [Name in ElementName]: `${Name}.${PathBelow<Elements[Name]>}` }[ElementName];

/** A list of names, or one text with commas, as the service takes it. */
export type Names<Name extends string> = readonly (Name | (string & {}))[] | string;

/** Names that are written down have to exist; those that are known only at run time may be any. */
type Known<Given, Name extends string> = Given extends readonly (infer One extends string)[]
  ? string extends One
    ? Given
    : readonly (Extract<One, Name> | `there is no ${Exclude<One, Name>}`)[]
  : Given;

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;
type Split<Text extends string> = string extends Text
  ? string
  : Text extends `${infer One},${infer Rest}`
    ? Trim<One> | Split<Rest>
    : Trim<Text>;

/** The names asked for, as a union; `never` where none is (FLD-1). */
type NamesIn<Given> = Given extends readonly (infer Name extends string)[]
  ? Exclude<Split<Name>, ''>
  : Given extends string
    ? Exclude<Split<Given>, ''>
    : never;

/** Whether it is known which names are asked for. A list made while the program runs may hold any of its names. */
type IsKnown<Given> = Given extends readonly unknown[]
  ? number extends Given['length']
    ? false
    : string extends Given[number]
      ? false
      : true
  : Given extends string
    ? string extends Given
      ? false
      : true
    : true;

type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;
/** What is left of the paths that begin with a name; `*` for the bare name, which is the whole. */
type Below<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}`
  ? Rest
  : Path extends Name
    ? '*'
    : never;
type BelowOnly<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}`
  ? Rest
  : never;

/** The wanted members of a value; scalars, text and null pass, lists are narrowed item by item (FLD-2, FLD-4). */
type Narrowed<Value, Path extends string> =
  '*' extends Head<Path>
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Narrowed<Item, Path>[]
      : Value extends object
        ? NarrowedObject<Value, Path>
        : Value;

type NarrowedObject<Value extends object, Path extends string> = Flat<
  {
    [Key in keyof Value as string extends Key ? never : Key & Head<Path>]: Narrowed<
      Value[Key],
      Below<Path, Key & string>
    >;
  } & {
    readonly [Key in IsOpen<Value> extends true ? Exclude<Head<Path>, ListedKey<Value>> : never]?: unknown;
  }
>;

type Flat<Value> = { [Key in keyof Value]: Value[Key] };

/** An element's paths that count: its bare name only where `expand` names it, too (FLD-3). */
type ElementPath<
  Name extends ElementName,
  Expanded extends string,
  Path extends string,
> = Name extends Expanded
  ? [Below<Path, Name>] extends [never]
    ? '*'
    : Below<Path, Name>
  : BelowOnly<Path, Name>;

type SelectedOwn<Path extends string> = [Path] extends [never]
  ? OwnProperties
  : Narrowed<OwnProperties, Path>;

type SelectedElements<Expanded extends string, Path extends string> = {
  readonly [Name in ElementName as [ElementPath<Name, Expanded, Path>] extends [never]
    ? never
    : Name]: Narrowed<Elements[Name], ElementPath<Name, Expanded, Path>>;
};

type DeepPartial<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value;

/** A transaction as `expand` and `fields` show it; where they are known only at run time, any of it may be there. */
export type Selected<ExpandNames, FieldNames> = [IsKnown<ExpandNames>, IsKnown<FieldNames>] extends [
  true,
  true,
]
  ? Flat<SelectedOwn<NamesIn<FieldNames>> & SelectedElements<Head<NamesIn<ExpandNames>>, NamesIn<FieldNames>>>
  : DeepPartial<OwnProperties & Elements>;

/** `expand` and `fields` of a request. */
export type Selection<ExpandNames extends Names<Expand>, FieldNames extends Names<Field>> = {
  readonly expand?: ExpandNames & Known<ExpandNames, Expand>;
  readonly fields?: FieldNames & Known<FieldNames, Field>;
};

/** Both as query parameters; a name that holds a comma is two names to the service. */
export const selectionParameters = ({
  expand,
  fields,
}: {
  readonly expand?: Names<string> | undefined;
  readonly fields?: Names<string> | undefined;
}): [string, string][] => [...parameter('expand', expand), ...parameter('fields', fields)];

const parameter = (name: string, names: Names<string> | undefined): [string, string][] => {
  const text = typeof names === 'string' ? names : (names ?? []).join(',');
  return text === '' ? [] : [[name, text]];
};
