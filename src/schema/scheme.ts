import type { Declaration, Fields, Rules, Schema, Type, Union } from './declaration.js'
import { list, ref } from './fields.js'
import type { Group, Kind, LinkedType, ObjectField, ObjectType } from './model.js'
import { groupVersion, isOpen, noGates, openDeclarations, openGroups } from './open-declarations.js'
import { schema, typeName } from './schema.js'
import type { Strategy } from './strategy.js'

export interface SchemeParts {
  readonly declarations: readonly Declaration[]
  readonly groups: readonly Group[]
  /** The features that are on; what is declared for others is left out. None unless given. */
  readonly gates?: ReadonlySet<string>
}

/** Every declared type, linked, and found by name, by kind or by resource. Immutable: `extend` makes another one. */
export class Scheme {
  readonly groups: readonly Group[]
  readonly gates: ReadonlySet<string>
  /** By declared name, lists of kinds included. */
  readonly types: ReadonlyMap<string, ObjectType>
  /** Kinds that are served as resources, in order of declaration. */
  readonly resources: readonly ServedKind[]
  readonly #parts: SchemeParts
  readonly #kinds: ReadonlyMap<string, ObjectType>

  constructor(parts: SchemeParts) {
    this.#parts = parts
    this.gates = parts.gates ?? noGates
    const declarations = openDeclarations(parts.declarations, this.gates)
    this.groups = openGroups([...parts.groups, ...impliedGroups({ ...parts, declarations })], declarations)
    this.types = link(declarations, { groups: this.groups, gates: this.gates })
    this.#kinds = kindsOf(this.types)
    this.resources = [...this.types.values()].filter(isServed)
  }

  /** This scheme with more declarations, as custom resources bring them. */
  extend(more: Partial<SchemeParts>): Scheme {
    return new Scheme({
      gates: this.gates,
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

/** A group of which nobody said anything is called as its declarations call it, and serves the versions that they have. */
function impliedGroups({ declarations, groups }: SchemeParts): Group[] {
  const implied = new Map<string, Set<string>>()
  for (const declared of declarations) {
    if (declared.is !== 'schema') continue
    const [short, version] = groupVersion(declared.name)
    if (groups.some((group) => group.short === short)) continue
    implied.set(short, (implied.get(short) ?? new Set()).add(version))
  }
  return [...implied].map(([short, versions]) => ({
    short,
    name: short,
    served: [...versions],
    legacy: [],
    openapi: short.split('.').reverse().join('.'),
  }))
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

/** What a scheme is linked with, beside its declarations. */
type Surroundings = Pick<Linking, 'groups' | 'gates'>

function link(declarations: readonly Declaration[], { groups, gates }: Surroundings): Map<string, ObjectType> {
  const rules = rulesByType(declarations)
  const strategies = strategiesByType(declarations)
  const types = new Map<string, ObjectType>()
  for (const declared of withLists(declarations.filter((declaration) => declaration.is === 'schema'))) {
    if (types.has(declared.name)) throw new Error(`${declared.name} is declared twice`)
    const linking = {
      types,
      groups,
      gates,
      rules: rules.get(declared.name) ?? [],
      strategy: strategies.get(declared.name) ?? {},
    }
    types.set(declared.name, new LinkedObjectType(declared, linking))
  }
  for (const name of [...rules.keys(), ...strategies.keys()])
    if (!types.has(name)) throw new Error(`there are rules for ${name}, which is not declared`)
  return types
}

interface Linking {
  readonly types: ReadonlyMap<string, ObjectType>
  readonly groups: readonly Group[]
  readonly gates: ReadonlySet<string>
  readonly rules: readonly Rules[]
  readonly strategy: Strategy<never>
}

/**
 * Types refer to each other, some to themselves, and most are never used in a process: each is linked when it is first looked at,
 * which keeps the start of every command short.
 */
class LinkedObjectType implements ObjectType {
  readonly name: string
  readonly atomic: boolean
  readonly unions: readonly Union[]
  readonly rules: readonly Rules[]
  readonly kind?: Kind
  readonly strategy: Strategy<never>
  readonly #declared: Schema
  readonly #linking: Linking
  #fields: readonly ObjectField[] | undefined
  #field: ReadonlyMap<string, ObjectField> | undefined

  constructor(declared: Schema, linking: Linking) {
    this.name = declared.name
    this.atomic = declared.atomic
    this.unions = declared.unions
    this.rules = linking.rules
    this.strategy = linking.strategy
    if (declared.kind) this.kind = linkKind(declared, linking)
    this.#declared = declared
    this.#linking = linking
  }

  get fields(): readonly ObjectField[] {
    this.#fields ??= linkFields(this.#declared, this.#linking)
    return this.#fields
  }

  get field(): ReadonlyMap<string, ObjectField> {
    this.#field ??= new Map(this.fields.map((field) => [field.name, field]))
    return this.#field
  }
}

/** A kind whose objects can be listed has a list kind, of one shape for all. */
function withLists(schemas: readonly Schema[]): readonly Schema[] {
  const listed = schemas.filter(({ kind }) => kind?.listed || kind?.resource?.verbs.includes('list'))
  return [...schemas, ...listed.map(listSchema)]
}

function listSchema(of: Schema): Schema {
  const optional = { metadata: ref(1, 'meta/v1.ListMeta', { always: true }) }
  const required = { items: list(2, ref(of.name)) }
  return { ...schema(`${of.name}List`, { required, optional }), kind: { listOf: of.name } }
}

function rulesByType(declarations: readonly Declaration[]): Map<string, Rules[]> {
  const byType = new Map<string, Rules[]>()
  for (const rules of declarations) {
    if (rules.is === 'rules') byType.set(rules.of, [...(byType.get(rules.of) ?? []), rules])
  }
  return byType
}

function strategiesByType(declarations: readonly Declaration[]): Map<string, Strategy<never>> {
  const byType = new Map<string, Strategy<never>>()
  for (const declared of declarations) {
    if (declared.is !== 'strategy') continue
    if (byType.has(declared.of)) throw new Error(`${declared.of} has two strategies`)
    byType.set(declared.of, declared.strategy)
  }
  return byType
}

function linkFields({ required, optional }: Schema, linking: Linking): readonly ObjectField[] {
  const fields = [...linkGroup(required, true, linking), ...linkGroup(optional, false, linking)]
  return fields.sort((a, b) => tagOrder(a) - tagOrder(b))
}

function linkGroup(fields: Fields, required: boolean, linking: Linking): ObjectField[] {
  const open = Object.entries(fields).filter(([, { options }]) => isOpen(options.gate, linking.gates))
  return open.map(([name, { type, tag, options }]) => {
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
  const [short, version] = groupVersion(declared.name)
  const group = groups.find((candidate) => candidate.short === short)!.name
  const { everywhere = false, untyped = false, listOf, resource } = declared.kind ?? {}
  return {
    group,
    version,
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind: typeName(declared.name),
    everywhere,
    untyped,
    ...(resource && { resource }),
    ...(listOf && { listOf: types.get(listOf)! }),
  }
}
