import type { Schema, StrategyDeclaration } from './declaration.js'
import type { FieldError } from './field-errors.js'
import type { Draft } from './infer.js'

/**
 * How objects of one kind live: what is done to them when they are written, what is refused, and in which words. The generic
 * verbs ask; no verb knows a kind. Everything here is a pure function of what it is given; what needs the store (addresses,
 * bindings, evictions) stands in `apiserver/registry/`.
 *
 * A draft may share parts with the object that it replaces, and with everyone who reads that: assign to its fields, never to
 * what is inside of a part that came from the old object.
 */
export interface Strategy<T> {
  /** Which names objects may have, and which prefixes of names that are generated. DNS subdomains unless given. */
  readonly name?: (name: string, isPrefix: boolean) => readonly string[]
  /** Finalizers may have names of any domain, and of none. Unless given, only those of the cluster itself have none. */
  readonly plainFinalizers?: boolean
  /**
   * What the user wants of an object. `metadata.generation` begins at 1 and rises whenever any of it changes; without this the
   * generation is left as the client gives it.
   */
  readonly intent?: (object: T) => readonly unknown[]
  /**
   * Makes a new object ready: it has its name and uid, and defaults are set. Unless given, a kind that has a status subresource
   * loses the status that the client sent.
   */
  readonly prepareCreate?: (draft: Draft<T>, context: StrategyContext) => void
  /** Takes from the old object what this write may not change. Unless given: the status, if there is a status subresource. */
  readonly prepareUpdate?: (draft: Draft<T>, old: T, context: StrategyContext) => void
  /**
   * Everything that is wrong with a new object, in the order in which it is told; its metadata was checked before. Unless given,
   * the constraints of the declaration are checked.
   */
  readonly validate?: (object: T, context: StrategyContext) => Iterable<FieldError>
  /** The same for an object that replaces another. Unless given, it is what `validate` says. */
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => Iterable<FieldError>
  /** What is not wrong but doubtful; told as `Warning` headers. */
  readonly warnings?: (object: T, old: T | undefined) => readonly string[]
  /** What field selectors may ask for, beyond the name and namespace. */
  readonly fields?: Readonly<Record<string, (object: T) => string>>
  /** What is told to who asks for another field; unless given, what most kinds that have fields say. */
  readonly unsupportedField?: (field: string) => string
  /** An update of what does not exist creates it. */
  readonly createdByUpdate?: boolean
  /** Whether an update may leave out the resource version and so overwrite whatever is there. It may unless this is false. */
  readonly updatedUnconditionally?: boolean
  readonly deletion?: DeletionStrategy<T>
  /** Views of the object that are written like it: `status`, `resize`, … The rules of those left out are the standard ones. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy<T>>>
  /** For a version in which objects are not kept: how it becomes the one in which they are, and back. */
  readonly stored?: StoredVersion<T>
}

export interface StrategyContext {
  /** Now, as `2006-01-02T15:04:05Z`. */
  readonly time: string
  /** Whether containers may be privileged: a decision about the whole cluster. */
  readonly allowPrivileged: boolean
  /** Who writes. */
  readonly user: {
    readonly name: string
    readonly uid: string
    readonly groups: readonly string[]
    readonly extra: Readonly<Record<string, readonly string[]>>
  }
}

export interface SubresourceStrategy<T> {
  /** Unless given: for `status` all but metadata and status is taken from the old object. */
  readonly prepareUpdate?: (draft: Draft<T>, old: T, context: StrategyContext) => void
  /** Unless given, the rules for updates of the whole object hold. */
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => Iterable<FieldError>
  readonly warnings?: (object: T, old: T) => readonly string[]
  /** Which fields a write through here can change, and so own: paths of names. Unless given, what `prepareUpdate` leaves of a status. */
  readonly owned?: readonly (readonly string[])[]
}

export interface DeletionStrategy<T> {
  /**
   * How many seconds an object lives on after it was deleted; 0 is none. `asked` is what the client wants, if it said so.
   * Unless given, objects go at once.
   */
  readonly gracePeriod?: (object: T, asked: number | undefined) => number
  /** What holds an object that was deleted, beside the finalizers in its metadata. */
  readonly hold?: DeletionHold<T>
  /** Dependents are left behind unless the client says otherwise. */
  readonly orphansDependents?: boolean
  /** Told to who deletes without saying what is to become of the dependents. */
  readonly warning?: string
}

/** For kinds whose objects wait for something of their own before they go. */
export interface DeletionHold<T> {
  readonly isHeld: (object: T) => boolean
  /** The object as it shows while it waits. */
  readonly ending: (object: T) => T
}

export interface StoredVersion<T> {
  /** The declared name of the kind that is kept: `autoscaling/v2.HorizontalPodAutoscaler`. */
  readonly type: string
  /** Both leave `apiVersion` and `kind` to the caller, and change nothing that they are given. */
  readonly toStored: (object: T) => object
  readonly fromStored: (object: never) => object
  /** What this version calls the fields that can be selected by; unless given, as the stored one does. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Attaches a strategy to a declared kind: `export const podStrategy = strategy<Pod>(Pod, { … })`. */
export function strategy<T>(of: Schema, parts: Strategy<T>): StrategyDeclaration {
  return { is: 'strategy', of: of.name, strategy: parts }
}
