import type { Schema, StrategyDeclaration } from './declaration.js'
import type { FieldError } from './field-errors.js'
import type { Draft } from './infer.js'

/**
 * What a kind does differently from the others when its objects are created, updated or deleted. The generic verbs call it; no verb
 * knows a kind. Every member is a pure function; what needs the store (addresses, bindings, evictions) is in `apiserver/registry/`.
 *
 * A draft may share parts with the stored object that it replaces, which other readers hold: assign to the fields of the draft, never
 * to what is inside a part that came from the old object.
 */
export interface RegistryStrategy<T> {
  /** Validates a name, or the prefix of a generated name. By default names are DNS subdomains. */
  readonly name?: (name: string, isPrefix: boolean) => readonly string[]
  /** Accepts finalizers without a domain. By default only those that Kubernetes defines may have none. */
  readonly plainFinalizers?: boolean
  /**
   * The part of an object that the user decides on. `metadata.generation` starts at 1 and increases whenever this part changes; without
   * this function the generation stays as the client sent it.
   */
  readonly intent?: (object: T) => readonly unknown[]
  /**
   * Prepares a new object, which already has its name, uid and defaults. By default the status that the client sent is removed if the
   * kind has a status subresource.
   */
  readonly prepareCreate?: (draft: Draft<T>, context: StrategyContext) => void
  /** Restores from the old object what an update may not change. By default the status, if there is a status subresource. */
  readonly prepareUpdate?: (draft: Draft<T>, old: T, context: StrategyContext) => void
  /**
   * Returns the errors of a new object in the order in which clients see them. Its metadata has been validated before. By default an
   * object that could be decoded is valid.
   */
  readonly validate?: (object: T, context: StrategyContext) => Iterable<FieldError>
  /** Validates an object that replaces `old`. By default `validate`. */
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => Iterable<FieldError>
  /** Warnings for the client, sent in `Warning` headers. */
  readonly warnings?: (object: T, old: T | undefined) => readonly string[]
  /** The fields that field selectors support beside name and namespace. */
  readonly fields?: Readonly<Record<string, (object: T) => string>>
  /** The error message for any other field. By default the one that most kinds share. */
  readonly unsupportedField?: (field: string) => string
  /** Whether an update of an object that does not exist creates it. */
  readonly createdByUpdate?: boolean
  /** Whether an update may omit the resource version and overwrite any revision. True by default. */
  readonly updatedUnconditionally?: boolean
  readonly deletion?: DeletionStrategy<T>
  /** Subresources that are written like the object: `status`, `resize`, … Those that are not listed have the defaults. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy<T>>>
  /** For a version in which objects are not stored: the conversion to the stored version and back. */
  readonly stored?: StoredVersion<T>
}

export interface StrategyContext {
  /** The current time as `2006-01-02T15:04:05Z`. */
  readonly time: string
  /** Whether the cluster allows privileged containers. */
  readonly allowPrivileged: boolean
  /** The user of the request. */
  readonly user: {
    readonly name: string
    readonly uid: string
    readonly groups: readonly string[]
    readonly extra: Readonly<Record<string, readonly string[]>>
  }
}

export interface SubresourceStrategy<T> {
  /** By default everything but metadata and the field with the subresource's name is restored from the old object. */
  readonly prepareUpdate?: (draft: Draft<T>, old: T, context: StrategyContext) => void
  /** By default the update is validated like one of the whole object. */
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => Iterable<FieldError>
  readonly warnings?: (object: T, old: T) => readonly string[]
  /** Paths of the fields that a write through this subresource can change, and so own. By default those of a status. */
  readonly owned?: readonly (readonly string[])[]
}

export interface DeletionStrategy<T> {
  /**
   * Seconds for which a deleted object remains; 0 means that it is removed at once, which is the default. `requested` is the value that
   * the client sent, if any.
   */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number
  /** What delays the removal of a deleted object, beside the finalizers in its metadata. */
  readonly hold?: DeletionHold<T>
  /** Whether dependents are orphaned unless the client requests otherwise. */
  readonly orphansDependents?: boolean
  /** A warning for a client that does not choose a propagation policy. */
  readonly warning?: string
}

/** For kinds whose deleted objects wait for a condition of their own. */
export interface DeletionHold<T> {
  readonly isHeld: (object: T) => boolean
  /** The object as clients see it while it waits. */
  readonly ending: (object: T) => T
}

export interface StoredVersion<T> {
  /** The declared name of the stored kind: `autoscaling/v2.HorizontalPodAutoscaler`. */
  readonly type: string
  /** Both conversions leave `apiVersion` and `kind` to the caller and do not modify their argument. */
  readonly toStored: (object: T) => object
  readonly fromStored: (object: never) => object
  /** Maps this version's names of selectable fields to those of the stored version. By default they are the same. */
  readonly fields?: Readonly<Record<string, string>>
}

/** For a version whose objects have the same form as the stored ones. */
export function sameForm<T extends object>(type: string): StoredVersion<T> {
  return { type, toStored: (object) => object, fromStored: (object: object) => object }
}

/** Attaches a strategy to a declared kind: `export const podStrategy = declareStrategy<Pod>(Pod, { … })`. */
export function declareStrategy<T>(of: Schema, strategy: RegistryStrategy<T>): StrategyDeclaration {
  return { is: 'strategy', of: of.name, strategy }
}
