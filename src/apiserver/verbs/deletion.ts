import type { KubeObject } from '../../api/kube-object.js'
import type { DeleteOptions } from '../../api/meta/v1/delete-options.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { DeletionStrategy } from '../../schema/strategy.js'
import { formatTime } from '../../schema/values/time.js'
import { strategyOf } from './kind-strategy.js'

/** What becomes of an object that somebody deletes. */
export type DeletionDecision =
  /** It is going already, and no sooner for this. */
  | { readonly does: 'nothing' }
  /** It stays, marked, until its time is over or its finalizers are gone. */
  | { readonly does: 'mark'; readonly marked: KubeObject }
  /** It is marked and then goes at once: watchers see both. */
  | { readonly does: 'mark and remove'; readonly marked: KubeObject }
  | { readonly does: 'remove' }

/** Decides, as a function of the object, the options and the time in milliseconds. */
export function decideDeletion(
  type: ServedKind,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision {
  const held = heldBack(type, object, options, now)
  if (held) return held
  const grace = gracefully(type, object, options, now)
  if (grace === 'pending') return { does: 'nothing' }
  const finalizers = finalizersAfter(type, object, options)
  const current = grace ?? object
  if (finalizers.length === 0 && !grace) return { does: 'remove' }
  const marked = withFinalizers(grace ?? markedNow(current, now), finalizers)
  if (finalizers.length > 0 || (marked.metadata.deletionGracePeriodSeconds ?? 0) > 0) return { does: 'mark', marked }
  return { does: 'mark and remove', marked }
}

/** Kinds whose objects wait for something of their own: the first deletion says so, others change nothing while it holds. */
function heldBack(
  type: ServedKind,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision | undefined {
  const { hold } = deletionOf(type)
  if (!hold) return undefined
  if (object.metadata.deletionTimestamp !== undefined) return hold.isHeld(object) ? { does: 'nothing' } : undefined
  const marked = withMetadata(object, { deletionTimestamp: formatTime(now) })
  return { does: 'mark', marked: hold.ending(withFinalizers(marked, finalizersAfter(type, object, options))) }
}

/** Kinds whose objects take their time: the object marked for then. Undefined for the others. */
function gracefully(
  type: ServedKind,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): KubeObject | 'pending' | undefined {
  const { gracePeriod } = deletionOf(type)
  if (!gracePeriod) return undefined
  const asked = options.gracePeriodSeconds === undefined ? undefined : atLeast(options.gracePeriodSeconds)
  const { metadata } = object
  if (metadata.deletionTimestamp !== undefined) return sooner(object, asked)
  const seconds = gracePeriod(object, asked)
  const { generation } = metadata
  return withMetadata(object, {
    ...(generation && { generation: generation + 1 }),
    deletionTimestamp: formatTime(now + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
  })
}

/** A negative period is one second: zero would be a decision. */
function atLeast(seconds: number): number {
  return seconds < 0 ? 1 : seconds
}

/** An object that is going already can only go sooner. */
function sooner(object: KubeObject, asked: number | undefined): KubeObject | 'pending' | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata
  if (deletionGracePeriodSeconds === undefined) return undefined
  if (asked === undefined || asked >= deletionGracePeriodSeconds) return 'pending'
  const begun = Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000
  return withMetadata(object, {
    deletionTimestamp: formatTime(begun + asked * 1000),
    deletionGracePeriodSeconds: asked,
  })
}

/** Other objects are marked as of now; that counts as a change of what is wanted of them. */
function markedNow(object: KubeObject, now: number): KubeObject {
  const { generation, deletionGracePeriodSeconds, deletionTimestamp } = object.metadata
  const isFirst = deletionGracePeriodSeconds === undefined
  const isLate = deletionTimestamp === undefined || Date.parse(deletionTimestamp) > now
  return withMetadata(object, {
    ...(isFirst && generation && { generation: generation + 1 }),
    ...(isLate && { deletionTimestamp: formatTime(now) }),
    deletionGracePeriodSeconds: 0,
  })
}

/** Who waits for the object's end, including those who see to its dependents first. */
function finalizersAfter(type: ServedKind, { metadata }: KubeObject, options: DeleteOptions): readonly string[] {
  const present = metadata.finalizers ?? []
  const others = present.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer)
  switch (dependents(type, present, options)) {
    case 'Orphan':
      return [...others, orphanFinalizer]
    case 'Foreground':
      return [...others, foregroundFinalizer]
    default:
      return others
  }
}

function dependents(type: ServedKind, present: readonly string[], options: DeleteOptions): string {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background'
  if (options.propagationPolicy !== undefined) return options.propagationPolicy
  if (present.includes(orphanFinalizer)) return 'Orphan'
  if (present.includes(foregroundFinalizer)) return 'Foreground'
  return type.strategy.deletion?.orphansDependents ? 'Orphan' : 'Background'
}

/** Nothing holds an object any more that was deleted: with the write that says so it goes. */
export function isDeletionComplete(type: ServedKind, object: KubeObject): boolean {
  const { hold } = deletionOf(type)
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds > 0) return false
  return !hold?.isHeld(object)
}

function withFinalizers(object: KubeObject, finalizers: readonly string[]): KubeObject {
  const { finalizers: _, ...metadata } = object.metadata
  return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } }
}

function withMetadata(object: KubeObject, changes: Partial<KubeObject['metadata']>): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...changes } }
}

function deletionOf(type: ServedKind): DeletionStrategy<KubeObject> {
  return strategyOf(type).deletion ?? {}
}
