import type { KubeObject } from '../../api/kube-object.js'
import { asBuffer, spliceVersion, withVersion } from './resource-version.js'
import { type Labels, noLabels, StoredLabelReader } from './stored-labels.js'

/**
 * An object at one revision, shared by all readers; parsed and encoded at most once, on first use. Stored bytes have no resource version,
 * because they are written before their revision is known; `object` and `bytes` have it.
 */
export interface CachedObject {
  /** The key in the store: `/registry/pods/default/web`. */
  readonly key: string
  /** The revision that wrote the object, which is its resource version. For a deleted object the revision of the deletion. */
  readonly revision: number
  /** The object in its storage version. Never modified: all readers share it. */
  readonly object: KubeObject
  /** JSON and a line feed, as clients receive it. Never modified. */
  readonly bytes: Uint8Array
  /** The labels of the object. Reads them from the bytes if the object has not been parsed. */
  readonly labels: Labels
  /** Whether the JSON of the object contains a text. Does not parse it. */
  mentions(text: string): boolean
  /** The approximate size of the JSON in bytes. */
  readonly weight: number
  /** The same content at another revision. */
  at(revision: number): CachedObject
}

/** The content of a cached object: at least one of the two, with any resource version or none. */
export interface CachedObjectSource {
  readonly json?: Uint8Array | undefined
  readonly object?: KubeObject | undefined
  readonly settings: CachedObjectSettings
}

/** What all objects of one store share. */
export interface CachedObjectSettings {
  /** Whether parsed objects are deeply frozen. Slow; for tests. */
  readonly freeze: boolean
  readonly labels: StoredLabelReader
}

export function cachedObjectSettings({ freeze }: { readonly freeze: boolean }): CachedObjectSettings {
  return { freeze, labels: new StoredLabelReader() }
}

/** Parses and encodes its content on first use, and then drops the source. */
export class LazyCachedObject implements CachedObject {
  readonly key: string
  readonly revision: number
  readonly weight: number
  readonly #settings: CachedObjectSettings
  #json: Uint8Array | undefined
  #given: KubeObject | undefined
  #object: KubeObject | undefined
  #bytes: Uint8Array | undefined
  #labels: Labels | undefined

  constructor(key: string, revision: number, { json, object, settings }: CachedObjectSource) {
    this.key = key
    this.revision = revision
    this.weight = json?.length ?? 0
    this.#json = json
    this.#given = object
    this.#settings = settings
  }

  get object(): KubeObject {
    if (!this.#object) {
      this.#object = this.#given ? withVersion(this.#given, this.revision) : parsed(this.bytes, this.key)
      this.#given = undefined
      if (this.#settings.freeze) deepFreeze(this.#object)
    }
    return this.#object
  }

  get labels(): Labels {
    const object = this.#object ?? this.#given
    if (object) return object.metadata.labels ?? noLabels
    this.#labels ??= this.#settings.labels.read(this.#json ?? this.bytes) ?? this.object.metadata.labels ?? noLabels
    return this.#labels
  }

  mentions(text: string): boolean {
    return asBuffer(this.#json ?? this.bytes).includes(text)
  }

  /**
   * Drops a parsed object that has not been read, and copies the JSON out of its shared block. An object takes several times the memory of
   * its bytes.
   */
  settle(): void {
    if (this.#json || this.#bytes) this.#given = undefined
    if (this.#json) this.#json = Buffer.from(this.#json)
  }

  get bytes(): Uint8Array {
    if (!this.#bytes) {
      this.#bytes = this.#json ? this.#spliced(this.#json) : encoded(this.object)
      this.#json = undefined
    }
    return this.#bytes
  }

  /** The same content at another revision. */
  at(revision: number): LazyCachedObject {
    return new LazyCachedObject(this.key, revision, {
      json: this.#bytes ?? this.#json,
      object: this.#object ?? this.#given,
      settings: this.#settings,
    })
  }

  #spliced(json: Uint8Array): Uint8Array {
    return spliceVersion(json, this.revision) ?? encoded(withVersion(parsed(json, this.key), this.revision))
  }
}

function parsed(json: Uint8Array, key: string): KubeObject {
  try {
    return JSON.parse(asBuffer(json).toString()) as KubeObject
  } catch (cause) {
    throw new Error(`the value of ${key} is not JSON`, { cause })
  }
}

/** Returns the JSON of the object and a line feed, as clients receive it. */
export function encoded(object: KubeObject): Uint8Array {
  return Buffer.from(`${JSON.stringify(object)}\n`)
}

export function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
}
