import type {
  Declaration,
  DefaultsDeclaration,
  Field,
  Fields,
  Schema,
  StrategyDeclaration,
  Type,
} from './declaration.js'
import { typeName } from './schema.js'
import { declareStrategy, type StoredVersion, sameForm } from './strategy.js'

/** What differs in a derived version. Types and enumerations are named without their version: `DeviceRequest`. */
export interface VersionDifferences {
  /** Types that the derived version does not have. */
  readonly without?: readonly string[]
  /** Types and enumerations that the derived version uses from the original version. */
  readonly shared?: readonly string[]
  /** Fields that replace those of the same name, or that only the derived version has, by type. */
  readonly fields?: Readonly<Record<string, Fields>>
  /** Declarations of the derived version that replace the derived ones, or that only it has. */
  readonly declarations?: readonly Declaration[]
  /** Kinds whose objects have another form than in the original version. */
  readonly conversions?: Readonly<Record<string, Conversion>>
}

type Conversion = Pick<StoredVersion<never>, 'toStored' | 'fromStored'>

/**
 * Declares the types of one version of a group again as those of another version. Type names, references and names of Go types follow
 * the version; everything else is the same unless `differences` says otherwise. Kinds are declared but not served, and are stored in the
 * original version.
 */
export function derivedVersion(
  version: string,
  originals: readonly Declaration[],
  differences: VersionDifferences = {},
): readonly Declaration[] {
  const { without = [], declarations = [] } = differences
  const renaming = new Renaming(originVersion(originals), version, differences.shared ?? [])
  const derived = originals.flatMap((original) => {
    const name = typeName(nameOf(original))
    return without.includes(name) ? [] : derive(original, renaming, differences)
  })
  const replaced = new Set(declarations.map(identity))
  return [...derived.filter((declared) => !replaced.has(identity(declared))), ...declarations]
}

function originVersion(originals: readonly Declaration[]): string {
  const [version, ...others] = new Set(originals.map((original) => versionOf(nameOf(original))))
  if (version === undefined || others.length > 0) throw new Error('a version is derived from the types of one version')
  return version
}

/** For defaults, tables and strategies: the name of the type that they belong to. */
function nameOf(declared: Declaration): string {
  return declared.is === 'schema' ? declared.name : declared.of
}

function identity(declared: Declaration): string {
  return `${declared.is} ${nameOf(declared)}`
}

/** `resource/v1` of `resource/v1.DeviceClass`. */
function versionOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'))
}

/** Tables and strategies are those of served kinds. */
function derive(original: Declaration, renaming: Renaming, differences: VersionDifferences): readonly Declaration[] {
  if (original.is === 'defaults') return [renaming.defaults(original)]
  if (original.is !== 'schema') return []
  const name = typeName(original.name)
  const schema = renaming.schema(original, differences.fields?.[name] ?? {})
  return original.kind ? [schema, storedAs(schema, original.name, differences.conversions?.[name])] : [schema]
}

function storedAs(kind: Schema, original: string, conversion: Conversion | undefined): StrategyDeclaration {
  return declareStrategy<never>(kind, { stored: { ...sameForm<never>(original), ...conversion } })
}

class Renaming {
  readonly #from: string
  readonly #to: string
  readonly #shared: ReadonlySet<string>

  constructor(from: string, to: string, shared: readonly string[]) {
    this.#from = from
    this.#to = to
    this.#shared = new Set(shared)
  }

  defaults(original: DefaultsDeclaration): DefaultsDeclaration {
    return { ...original, of: this.#name(original.of) }
  }

  schema(original: Schema, changed: Fields): Schema {
    const required = { ...this.#fields(original.required), ...pick(changed, (name) => name in original.required) }
    const optional = { ...this.#fields(original.optional), ...pick(changed, (name) => !(name in original.required)) }
    const { kind } = original
    return {
      ...original,
      name: this.#name(original.name),
      required,
      optional,
      ...(kind && { kind: { everywhere: false, listed: true, untyped: false } }),
    }
  }

  #name(name: string): string {
    const isOwn = versionOf(name) === this.#from && !this.#shared.has(typeName(name))
    return isOwn ? `${this.#to}.${typeName(name)}` : name
  }

  #fields(fields: Fields): Fields {
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, this.#field(field)]))
  }

  #field({ type, tag, options }: Field): Field {
    const { goType } = options
    return {
      type: this.#type(type),
      tag,
      options: goType === undefined ? options : { ...options, goType: this.#goType(goType) },
    }
  }

  /** Go types are qualified with the version alone: `map[v1.QualifiedName]v1.DeviceAttribute`. */
  #goType(goType: string): string {
    const from = this.#from.slice(this.#from.indexOf('/') + 1)
    const to = this.#to.slice(this.#to.indexOf('/') + 1)
    return goType.replaceAll(new RegExp(`\\b${from}\\.`, 'g'), `${to}.`)
  }

  #type(type: Type): Type {
    switch (type.is) {
      case 'reference':
      case 'enumeration':
        return { ...type, name: this.#name(type.name) }
      case 'list':
      case 'map':
        return { ...type, of: this.#type(type.of) }
      default:
        return type
    }
  }
}

function pick(fields: Fields, isPicked: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isPicked(name)))
}
