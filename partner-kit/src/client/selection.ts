import type { ElementName, Elements, OwnProperties } from '../types.ts';

/** The type of an answer, derived from `expand` and `fields` by the rules of the service (FLD-1 to FLD-4, EXP-1). */

/** The names that a type lists. Not those that an open object merely allows. */
type ListedKey<Value> = keyof {
  [Key in keyof Value as string extends Key ? never : number extends Key ? never : Key]: 1;
} &
  string;

type IsOpen<Value> = string extends keyof Value ? true : false;

/** Paths below a value: `value`, `details.brand`, `*`. An open object accepts any name besides those that it lists. */
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

/** A name for `expand`: an element, or a path below one, which expands the same element. */
export type Expand = ElementName | `${ElementName}.${string}`;

/** A name for `fields`: an own property, `*` for all of them, an element, or a path below either. */
export type Field =
  | PathBelow<OwnProperties>
  | ElementName
  | { [Name in ElementName]: `${Name}.${PathBelow<Elements[Name]>}` }[ElementName];

/** A list of names, or one text with commas. */
export type Names<Name extends string> = readonly (Name | (string & {}))[] | string;

/** Literal names must exist. Names that are known only at run time may be any. */
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

/** The requested names as a union. `never` if there are none (FLD-1). */
type NamesIn<Given> = Given extends readonly (infer Name extends string)[]
  ? Exclude<Split<Name>, ''>
  : Given extends string
    ? Exclude<Split<Given>, ''>
    : never;

/** Whether the requested names are known to the compiler. A list that is made at run time may have any of its names. */
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
/** The rest of the paths that begin with a name. `*` for the bare name, which is the whole. */
type Below<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}`
  ? Rest
  : Path extends Name
    ? '*'
    : never;
type BelowOnly<Path extends string, Name extends string> = Path extends `${Name}.${infer Rest}`
  ? Rest
  : never;

/** The selected members of a value. Scalars, text and null stay, and lists are narrowed item by item (FLD-2, FLD-4). */
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

/** An element's effective paths: its bare name only if `expand` names it, too (FLD-3). */
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

/** A transaction as `expand` and `fields` show it. If they are known only at run time, any part of it may be there. */
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

/** Both as query parameters. A name with a comma is two names. */
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
