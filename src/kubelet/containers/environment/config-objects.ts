import type { ConfigMap } from '../../../api/core/v1/config-map.js'
import type { Secret } from '../../../api/core/v1/secret.js'

/** The ConfigMaps and Secrets that pods of this node may use. Resolves with undefined for a missing object. */
export interface ConfigObjects {
  configMap(namespace: string, name: string): Promise<ConfigMap | undefined>
  secret(namespace: string, name: string): Promise<Secret | undefined>
}

/** The data of an object, as bytes. */
export type ConfigEntries = ReadonlyMap<string, Buffer>

/** Reads objects for the environment of one container. Each object is read once, so that all its values are consistent. */
export class VariableSources {
  readonly #objects: ConfigObjects
  readonly #namespace: string
  readonly #entriesByKey = new Map<string, Promise<ConfigEntries | undefined>>()

  constructor(objects: ConfigObjects, namespace: string) {
    this.#objects = objects
    this.#namespace = namespace
  }

  /** Rejects in upstream's words if a required object is missing. */
  async all(kind: SourceKind, { name = '', optional = false }: SourceReference): Promise<ConfigEntries | undefined> {
    const entries = await this.#entries(kind, name)
    if (!entries && !optional) throw new Error(`${kind.toLowerCase()} "${name}" not found`)
    return entries
  }

  async one(kind: SourceKind, reference: SourceReference & { readonly key: string }): Promise<Buffer | undefined> {
    const entries = await this.all(kind, reference)
    const value = entries?.get(reference.key)
    if (entries && !value && !reference.optional)
      throw new Error(`couldn't find key ${reference.key} in ${kind} ${this.#namespace}/${reference.name ?? ''}`)
    return value
  }

  #entries(kind: SourceKind, name: string): Promise<ConfigEntries | undefined> {
    const key = `${kind}/${name}`
    const reading = this.#entriesByKey.get(key) ?? this.#read(kind, name)
    this.#entriesByKey.set(key, reading)
    return reading
  }

  async #read(kind: SourceKind, name: string): Promise<ConfigEntries | undefined> {
    const isSecret = kind === 'Secret'
    const object = isSecret
      ? await this.#objects.secret(this.#namespace, name)
      : await this.#objects.configMap(this.#namespace, name)
    const encoding = isSecret ? 'base64' : 'utf8'
    return (
      object && new Map(Object.entries(object.data ?? {}).map(([key, value]) => [key, Buffer.from(value, encoding)]))
    )
  }
}

export type SourceKind = 'ConfigMap' | 'Secret'

export interface SourceReference {
  readonly name?: string
  readonly optional?: boolean
}
