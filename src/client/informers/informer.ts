import type { KubeObject } from '../../api/kube-object.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import type { AnyObject } from '../resource-client.js'
import type { ResourceLocation } from '../resource-location.js'

/** The informers of a component: one for each kind, started when it is first asked for. */
export interface SharedInformers {
  of<S extends Schema>(kind: S): Informer<Instance<S> & AnyObject>
  of(place: ResourceLocation): Informer<KubeObject>
  /** For those who look at nothing but metadata: that is all that is asked for, where it saves anything. */
  of(place: ResourceLocation, part: { readonly metadataOnly: true }): Informer<AnyObject>
}

/**
 * A copy of all objects of one kind, kept up to date by a watch and shared by everybody in a component who looks at that kind.
 * Nobody changes what it hands out: in one process with the API server these are the very objects that the server holds.
 */
export interface Informer<T extends AnyObject = AnyObject> {
  /** Resolves when the copy first held everything that there was. */
  readonly synced: Promise<void>
  readonly isSynced: boolean
  /** Up to where the copy tells the truth. Never goes back, except over a restored store. */
  readonly revision: number
  /** Resolves when `revision` is at least this. Rejects when the informer is closed. */
  reached(revision: number): Promise<void>
  readonly size: number
  /** By `namespace/name`, or by `name` where there are no namespaces. */
  get(key: string): T | undefined
  /** In no particular order. */
  list(): Iterable<T>
  /** Those that an index files under `value`. */
  by(index: string, value: string): Iterable<T>
  /** Every informer of a kind with namespaces has the index `namespace`; adding one that is there already does nothing. */
  addIndex(name: string, values: (object: T) => Iterable<string>): void
  /**
   * Tells every change from now on, after the copy has taken it, in order of revision; what is there already comes first, as added.
   * A handler that throws is reported and keeps nobody else from hearing. Returns what ends it.
   */
  onChange(handle: (change: Change<T>) => void): () => void
}

export interface Change<T> {
  readonly type: 'added' | 'updated' | 'deleted'
  /** Of a deletion: the last that was known of it. */
  readonly object: T
  /** Of an update: what it was. */
  readonly old?: T
}

/** `namespace/name`, or `name` where there is no namespace. */
export function keyOf({ metadata: { namespace, name } }: AnyObject): string {
  return namespace ? `${namespace}/${name}` : name!
}

/** The other way round; the namespace is '' where there is none. */
export function parseKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/')
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) }
}
