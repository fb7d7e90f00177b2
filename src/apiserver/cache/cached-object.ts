import type { KubeObject } from '../../api/kube-object.js'
import { asBuffer, spliceVersion, withVersion } from './resource-version.js'
import { type Labels, noLabels, storedLabels } from './stored-labels.js'

/**
 * An object at one revision: one copy for everyone who reads it, parsed once and encoded once, both on first need. Stored bytes
 * carry no resource version, because they are written before their revision is known; `object` and `bytes` do.
 */
export interface CachedObject {
  /** In the store: `/registry/pods/default/web`. */
  readonly key: string
  /** The revision that wrote it, which is its resource version. Of an object that was deleted: the revision that did it. */
  readonly revision: number
  /** In the version in which it is stored. Deeply read-only: shared by everyone. */
  readonly object: KubeObject
  /** JSON and a line feed, as it is sent. Never changed. */
  readonly bytes: Uint8Array
  /** Those of the object, for which no more of it is parsed than has to be. */
  readonly labels: Labels
  /** Whether a text stands in its JSON. Nothing is parsed for the answer. */
  mentions(text: string): boolean
  /** About how many bytes its JSON has. */
  readonly weight: number
  /** The same content under another revision. */
  at(revision: number): CachedObject
}

/** What a kept object is made from: at least one of the two, each with any resource version or none. */
export interface CachedObjectSource {
  readonly json?: Uint8Array | undefined
  readonly object?: KubeObject | undefined
  /** Whoever tries to change the object is caught in the act. That has its price, and is for tests. */
  readonly freeze: boolean
}

/** Parsed and encoded when it is first asked for; what it was made from is then let go of. */
export class LazyCachedObject implements CachedObject {
  readonly key: string
  readonly revision: number
  readonly weight: number
  readonly #freeze: boolean
  #json: Uint8Array | undefined
  #given: KubeObject | undefined
  #object: KubeObject | undefined
  #bytes: Uint8Array | undefined
  #labels: Labels | undefined

  constructor(key: string, revision: number, { json, object, freeze }: CachedObjectSource) {
    this.key = key
    this.revision = revision
    this.weight = json?.length ?? 0
    this.#json = json
    this.#given = object
    this.#freeze = freeze
  }

  get object(): KubeObject {
    if (!this.#object) {
      this.#object = this.#given ? withVersion(this.#given, this.revision) : parsed(this.bytes, this.key)
      this.#given = undefined
      if (this.#freeze) deepFreeze(this.#object)
    }
    return this.#object
  }

  get labels(): Labels {
    const object = this.#object ?? this.#given
    if (object) return object.metadata.labels ?? noLabels
    this.#labels ??= storedLabels(this.#json ?? this.bytes) ?? this.object.metadata.labels ?? noLabels
    return this.#labels
  }

  mentions(text: string): boolean {
    return asBuffer(this.#json ?? this.bytes).includes(text)
  }

  /**
   * Lets go of an object that was given and not asked for, and of the block in which its JSON stands with that of others. Until somebody
   * asks, there are only its bytes.
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

  /** The same content under another revision. */
  at(revision: number): LazyCachedObject {
    return new LazyCachedObject(this.key, revision, {
      json: this.#bytes ?? this.#json,
      object: this.#object ?? this.#given,
      freeze: this.#freeze,
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
    throw new Error(`what is stored at ${key} is no JSON`, { cause })
  }
}

/** With a line feed at the end, as it is sent. */
export function encoded(object: KubeObject): Uint8Array {
  return Buffer.from(`${JSON.stringify(object)}\n`)
}

export function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
}
