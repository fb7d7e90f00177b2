import type { KubeObject } from '../../api/kube-object.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import type { AnyObject } from '../resource-client.js'
import type { ResourceLocation } from '../resource-location.js'

/** The informers of a component: one for each kind, started on first use. */
export interface SharedInformers {
  of<S extends Schema>(kind: S): Informer<Instance<S> & AnyObject>
  of(location: ResourceLocation): Informer<KubeObject>
  /** Requests only metadata if that saves anything. */
  of(location: ResourceLocation, part: { readonly metadataOnly: true }): Informer<AnyObject>
}

/**
 * A copy of all objects of one kind, kept up to date by a watch and shared by all users in a component. Never change the objects: in one
 * process with the API server they are those of the server.
 */
export interface Informer<T extends AnyObject = AnyObject> {
  /** Resolves when the copy is complete for the first time. */
  readonly synced: Promise<void>
  readonly isSynced: boolean
  /** The revision of the copy. Never goes back, except after a restore of the store. */
  readonly revision: number
  /** Resolves when `revision` is at least this. Rejects when the informer is closed. */
  reached(revision: number): Promise<void>
  readonly size: number
  /** Takes `namespace/name`, or `name` for kinds without namespaces. */
  get(key: string): T | undefined
  /** In no particular order. */
  list(): Iterable<T>
  /** Returns the objects with this value in an index. */
  by(index: string, value: string): Iterable<T>
  /** Adds an index, unless it exists. Informers of namespaced kinds have the index `namespace`. */
  addIndex(name: string, values: (object: T) => Iterable<string>): void
  /**
   * Calls `handle` for each present object, as added, then for every change, in order of revision, after the copy has it. Errors of a
   * handler are reported and do not affect the others. Returns an unsubscribe function.
   */
  onChange(handle: (change: Change<T>) => void): () => void
}

export interface Change<T> {
  readonly type: 'added' | 'updated' | 'deleted'
  /** For a deletion: the last known state. */
  readonly object: T
  /** For an update: the previous state. */
  readonly old?: T
}

/** Returns `namespace/name`, or `name` for objects without a namespace. */
export function keyOf({ metadata: { namespace, name } }: AnyObject): string {
  return namespace ? `${namespace}/${name}` : name!
}

/** Splits a key; the namespace is '' if there is none. */
export function parseKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/')
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) }
}
