import type { Declaration, Fields, Rules, Schema, Type } from './declaration.js'
import { list, ref } from './fields.js'
import type { Group, Kind, LinkedType, ObjectField, ObjectType } from './model.js'
import { schema, typeName } from './schema.js'

export interface SchemeParts {
  readonly declarations: readonly Declaration[]
  readonly groups: readonly Group[]
}

/** Every declared type, linked, and found by name, by kind or by resource. Immutable: `extend` makes another one. */
export class Scheme {
  readonly groups: readonly Group[]
  /** By declared name, lists of kinds included. */
  readonly types: ReadonlyMap<string, ObjectType>
  /** Kinds that are served as resources, in order of declaration. */
  readonly resources: readonly ServedKind[]
  readonly #parts: SchemeParts
  readonly #kinds: ReadonlyMap<string, ObjectType>

  constructor(parts: SchemeParts) {
    this.#parts = parts
    this.groups = parts.groups
    this.types = link(parts)
    this.#kinds = kindsOf(this.types)
    this.resources = [...this.types.values()].filter(isServed)
  }

  /** This scheme with more declarations, as custom resources bring them. */
  extend(more: Partial<SchemeParts>): Scheme {
    return new Scheme({
      declarations: [...this.#parts.declarations, ...(more.declarations ?? [])],
      groups: [...this.#parts.groups, ...(more.groups ?? [])],
    })
  }

  /** The type declared under `name`; it is a mistake in the program to ask for one that is not. */
  type(name: string): ObjectType {
    const type = this.types.get(name)
    if (!type) throw new Error(`no type ${name} is declared`)
    return type
  }

  kind(apiVersion: string, kind: string): ObjectType | undefined {
    return this.#kinds.get(`${apiVersion}/${kind}`)
  }
}

export type ServedKind = ObjectType & { readonly kind: Required<Pick<Kind, 'resource'>> & Kind }

function isServed(type: ObjectType): type is ServedKind {
  return type.kind?.resource !== undefined
}

function kindsOf(types: ReadonlyMap<string, ObjectType>): Map<string, ObjectType> {
  const kinds = new Map<string, ObjectType>()
  for (const type of types.values()) if (type.kind) kinds.set(`${type.kind.apiVersion}/${type.kind.kind}`, type)
  return kinds
}

/** Types refer to each other, some to themselves: all are made first, empty, and then filled. */
type Unfinished = { -readonly [K in keyof ObjectType]: ObjectType[K] } & { field: Map<string, ObjectField> }

function link({ declarations, groups }: SchemeParts): Map<string, ObjectType> {
  const schemas = withLists(declarations.filter((declaration) => declaration.is === 'schema'))
  const rules = rulesByType(declarations)
  const types = new Map<string, Unfinished>()
  for (const declared of schemas) {
    if (types.has(declared.name)) throw new Error(`${declared.name} is declared twice`)
    types.set(declared.name, begin(declared, rules.get(declared.name) ?? []))
  }
  for (const declared of schemas) finish(declared, { types, groups })
  for (const name of rules.keys())
    if (!types.has(name)) throw new Error(`there are rules for ${name}, which is not declared`)
  return types
}

/** A kind whose objects can be listed has a list kind, of one shape for all. */
function withLists(schemas: readonly Schema[]): readonly Schema[] {
  const listed = schemas.filter(({ kind }) => kind?.listed || kind?.resource?.verbs.includes('list'))
  return [...schemas, ...listed.map(listSchema)]
}

function listSchema(of: Schema): Schema {
  const optional = { metadata: ref(1, 'meta/v1.ListMeta', { always: true }) }
  const required = { items: list(2, ref(of.name)) }
  return { ...schema(`${of.name}List`, { required, optional }), kind: {} }
}

function rulesByType(declarations: readonly Declaration[]): Map<string, Rules[]> {
  const byType = new Map<string, Rules[]>()
  for (const rules of declarations) {
    if (rules.is === 'rules') byType.set(rules.of, [...(byType.get(rules.of) ?? []), rules])
  }
  return byType
}

function begin(declared: Schema, rules: readonly Rules[]): Unfinished {
  const { name, atomic, unions } = declared
  return { name, fields: [], field: new Map(), atomic, unions, rules }
}

interface Linking {
  readonly types: ReadonlyMap<string, Unfinished>
  readonly groups: readonly Group[]
}

function finish(declared: Schema, linking: Linking): void {
  const type = linking.types.get(declared.name)!
  const fields = [...linkFields(declared.required, true, linking), ...linkFields(declared.optional, false, linking)]
  type.fields = fields.sort((a, b) => tagOrder(a) - tagOrder(b))
  for (const field of fields) type.field.set(field.name, field)
  if (declared.kind) type.kind = linkKind(declared, linking)
}

function linkFields(fields: Fields, required: boolean, linking: Linking): ObjectField[] {
  return Object.entries(fields).map(([name, { type, tag, options }]) => {
    const always = options.always ?? required
    const absent = always === 'null' ? 'null' : always ? 'zero' : 'omitted'
    return { name, type: linkType(type, linking), tag, required, absent, options }
  })
}

function linkType(type: Type, linking: Linking): LinkedType {
  switch (type.is) {
    case 'reference': {
      const object = linking.types.get(type.name)
      if (!object) throw new Error(`${type.name} is referred to but not declared`)
      return { is: 'object', object }
    }
    case 'list':
    case 'map':
      return { is: type.is, of: linkType(type.of, linking) }
    case 'either':
      return { is: 'either', name: type.name, options: type.options.map((option) => linkType(option, linking)) }
    default:
      return type
  }
}

/** Metadata first, then by number; what has no number keeps its place at the end. */
function tagOrder({ tag }: ObjectField): number {
  return Number.parseFloat(String(tag)) || Number.MAX_SAFE_INTEGER
}

function linkKind(declared: Schema, { types, groups }: Linking): Kind {
  const [short, version] = declared.name.slice(0, declared.name.lastIndexOf('.')).split('/') as [string, string]
  const group = groups.find((candidate) => candidate.short === short)?.name ?? short
  const element = types.get(declared.name.replace(/List$/, ''))
  return {
    group,
    version,
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind: typeName(declared.name),
    everywhere: declared.kind?.everywhere ?? false,
    ...(declared.kind?.resource && { resource: declared.kind.resource }),
    ...(element && element.name !== declared.name && { listOf: element }),
  }
}
