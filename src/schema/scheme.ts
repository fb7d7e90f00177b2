import type { Declaration, Fields, Schema, Type, Union } from './declaration.js'
import { enabledDeclarations, isEnabled } from './feature-gates.js'
import { list, ref } from './fields.js'
import { type Group, type GroupDeclaration, groupVersionOf, linkGroups } from './groups.js'
import type { Kind, LinkedType, ObjectField, ObjectType } from './model.js'
import { schema, typeName } from './schema.js'
import type { RegistryStrategy } from './strategy.js'

export interface SchemeOptions {
  readonly declarations: readonly Declaration[]
  /** In the order in which discovery lists them. A group that is not declared has the name that its types use. */
  readonly groups: readonly GroupDeclaration[]
  /** The feature gates that are on; declarations behind others are left out. None by default. */
  readonly gates?: ReadonlySet<string>
  /** Whether decoders may parse regular input with `JSON.parse` and compile a function for each busy type. True by default. */
  readonly fastDecoding?: boolean
}

/** All declared types, linked, and found by name, kind or resource. Immutable: `extend` returns a new scheme. */
export class Scheme {
  readonly groups: readonly Group[]
  readonly gates: ReadonlySet<string>
  /** By declared name, including list kinds. */
  readonly types: ReadonlyMap<string, ObjectType>
  /** Kinds that are served as resources, in the order of their declarations. */
  readonly resources: readonly ServedKind[]
  readonly #options: SchemeOptions
  readonly #kinds: ReadonlyMap<string, ObjectType>

  constructor(options: SchemeOptions) {
    this.#options = options
    this.gates = options.gates ?? new Set()
    const declarations = enabledDeclarations(options.declarations, this.gates)
    this.groups = linkGroups(options.groups, declarations)
    const { fastDecoding = true } = options
    this.types = link(declarations, { groups: this.groups, gates: this.gates, fastDecoding })
    this.#kinds = kindsOf(this.types)
    this.resources = [...this.types.values()].filter(isServed)
  }

  /** This scheme with more declarations, such as those of custom resources. */
  extend(more: Partial<SchemeOptions>): Scheme {
    return new Scheme({
      ...this.#options,
      declarations: [...this.#options.declarations, ...(more.declarations ?? [])],
      groups: [...this.#options.groups, ...(more.groups ?? [])],
    })
  }

  /** The type declared under `name`. Throws if there is none, which is a bug in the caller. */
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

/** What every type of a scheme is linked with. */
interface LinkContext {
  readonly types: ReadonlyMap<string, ObjectType>
  readonly groups: readonly Group[]
  readonly gates: ReadonlySet<string>
  readonly fastDecoding: boolean
}

function link(declarations: readonly Declaration[], context: Omit<LinkContext, 'types'>): Map<string, ObjectType> {
  const behaviors = behaviorsByType(declarations)
  const types = new Map<string, ObjectType>()
  for (const declared of withLists(declarations.filter((declaration) => declaration.is === 'schema'))) {
    if (types.has(declared.name)) throw new Error(`${declared.name} is declared twice`)
    const behavior = behaviors.get(declared.name) ?? {}
    types.set(declared.name, new LinkedObjectType(declared, behavior, { ...context, types }))
  }
  for (const [name, behavior] of behaviors)
    if (!types.has(name)) throw new Error(`${name} has ${Object.keys(behavior).join(' and ')} but is not declared`)
  return types
}

/** The functions that are attached to a declared type. */
type Behavior = Partial<Pick<ObjectType, 'defaults' | 'table' | 'strategy'>>

function behaviorsByType(declarations: readonly Declaration[]): Map<string, Behavior> {
  const byType = new Map<string, Behavior>()
  for (const declared of declarations) {
    if (declared.is === 'schema') continue
    const known = byType.get(declared.of) ?? {}
    if (known[declared.is]) throw new Error(`the ${declared.is} of ${declared.of} is declared twice`)
    byType.set(declared.of, { ...known, ...behaviorOf(declared) })
  }
  return byType
}

function behaviorOf(declared: Exclude<Declaration, Schema>): Behavior {
  switch (declared.is) {
    case 'defaults':
      return { defaults: declared.defaults }
    case 'table':
      return { table: declared }
    case 'strategy':
      return { strategy: declared.strategy }
  }
}

/**
 * Types refer to each other, some to themselves, and a process never uses most of them: the fields of each type are linked on first
 * access, which keeps the start of every command short.
 */
class LinkedObjectType implements ObjectType {
  readonly name: string
  readonly atomic: boolean
  readonly unions: readonly Union[]
  readonly kind?: Kind
  readonly defaults?: (draft: never) => void
  readonly table?: NonNullable<ObjectType['table']>
  readonly strategy: RegistryStrategy<never>
  readonly #declared: Schema
  readonly #context: LinkContext
  #fields: readonly ObjectField[] | undefined
  #field: ReadonlyMap<string, ObjectField> | undefined

  constructor(declared: Schema, { defaults, table, strategy = {} }: Behavior, context: LinkContext) {
    this.name = declared.name
    this.atomic = declared.atomic
    this.unions = declared.unions
    if (declared.kind) this.kind = linkKind(declared, context)
    if (defaults) this.defaults = defaults
    if (table) this.table = table
    this.strategy = strategy
    this.#declared = declared
    this.#context = context
  }

  get fastDecoding(): boolean {
    return this.#context.fastDecoding
  }

  get fields(): readonly ObjectField[] {
    this.#fields ??= linkFields(this.#declared, this.#context)
    return this.#fields
  }

  get field(): ReadonlyMap<string, ObjectField> {
    this.#field ??= new Map(this.fields.map((field) => [field.name, field]))
    return this.#field
  }
}

/** Adds a list kind for each kind whose objects can be listed. */
function withLists(schemas: readonly Schema[]): readonly Schema[] {
  const listed = schemas.filter(({ kind }) => kind?.listed || kind?.resource?.verbs.includes('list'))
  return [...schemas, ...listed.map(listSchema)]
}

function listSchema(of: Schema): Schema {
  const optional = { metadata: ref(1, 'meta/v1.ListMeta', { always: true }) }
  const required = { items: list(2, ref(of.name)) }
  return { ...schema(`${of.name}List`, { required, optional }), kind: { listOf: of.name } }
}

function linkFields({ required, optional }: Schema, context: LinkContext): readonly ObjectField[] {
  const fields = [...linkGroup(required, true, context), ...linkGroup(optional, false, context)]
  return fields.sort((a, b) => tagOrder(a) - tagOrder(b))
}

function linkGroup(fields: Fields, required: boolean, context: LinkContext): ObjectField[] {
  const enabled = Object.entries(fields).filter(([, { options }]) => isEnabled(options.gate, context.gates))
  return enabled.map(([name, { type, tag, options }]) => {
    const always = options.always ?? required
    const absent = always === 'null' ? 'null' : always ? 'zero' : 'omitted'
    return { name, type: linkType(type, context), tag, required, absent, options }
  })
}

function linkType(type: Type, context: LinkContext): LinkedType {
  switch (type.is) {
    case 'reference': {
      const object = context.types.get(type.name)
      if (!object) throw new Error(`${type.name} is referred to but not declared`)
      return { is: 'object', object }
    }
    case 'list':
    case 'map':
      return { is: type.is, of: linkType(type.of, context) }
    case 'either':
      return { is: 'either', name: type.name, alternatives: type.alternatives.map((one) => linkType(one, context)) }
    default:
      return type
  }
}

/** Fields are ordered by number; those without a number come last, in the order of the declaration. */
function tagOrder({ tag }: ObjectField): number {
  return Number.parseFloat(String(tag)) || Number.MAX_SAFE_INTEGER
}

function linkKind(declared: Schema, { types, groups }: LinkContext): Kind {
  const [short, version] = groupVersionOf(declared.name)
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
