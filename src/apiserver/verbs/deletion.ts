import type { KubeObject } from '../../api/kube-object.js'
import type { DeleteOptions } from '../../api/meta/v1/delete-options.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { DeletionStrategy } from '../../schema/strategy.js'
import { formatTime } from '../../schema/values/time.js'
import { strategyOf } from './kind-strategy.js'

/** What the deletion of an object does. */
export type DeletionDecision =
  /** The object is already being deleted, and this deletion does not make it faster. */
  | { readonly action: 'nothing' }
  /** The object stays with a deletion timestamp until its grace period is over and its finalizers are removed. */
  | { readonly action: 'mark'; readonly marked: KubeObject }
  /** The object is marked and then removed at once. Watchers see both. */
  | { readonly action: 'mark and remove'; readonly marked: KubeObject }
  | { readonly action: 'remove' }

/** Decides what a deletion does. `now` is in milliseconds. */
export function decideDeletion(
  type: ServedKind,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision {
  const held = decideHeldDeletion(type, object, options, now)
  if (held) return held
  const grace = withGracePeriod(type, object, options, now)
  if (grace === 'pending') return { action: 'nothing' }
  const finalizers = finalizersOfDeletion(type, object, options)
  const current = grace ?? object
  if (finalizers.length === 0 && !grace) return { action: 'remove' }
  const marked = withFinalizers(grace ?? markedNow(current, now), finalizers)
  if (finalizers.length > 0 || (marked.metadata.deletionGracePeriodSeconds ?? 0) > 0) return { action: 'mark', marked }
  return { action: 'mark and remove', marked }
}

/** For kinds with a deletion hold: the first deletion marks the object, further ones do nothing while the hold lasts. */
function decideHeldDeletion(
  type: ServedKind,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision | undefined {
  const { hold } = deletionOf(type)
  if (!hold) return undefined
  if (object.metadata.deletionTimestamp !== undefined) return hold.isHeld(object) ? { action: 'nothing' } : undefined
  const marked = withMetadata(object, { deletionTimestamp: formatTime(now) })
  return { action: 'mark', marked: hold.ending(withFinalizers(marked, finalizersOfDeletion(type, object, options))) }
}

/** For kinds with a grace period: the object with its deletion timestamp. Undefined for other kinds. */
function withGracePeriod(
  type: ServedKind,
  object: KubeObject,
  options: DeleteOptions,
  now: number,
): KubeObject | 'pending' | undefined {
  const { gracePeriod } = deletionOf(type)
  if (!gracePeriod) return undefined
  const requested =
    options.gracePeriodSeconds === undefined ? undefined : effectiveGracePeriod(options.gracePeriodSeconds)
  const { metadata } = object
  if (metadata.deletionTimestamp !== undefined) return withShorterGracePeriod(object, requested)
  const seconds = gracePeriod(object, requested)
  const { generation } = metadata
  return withMetadata(object, {
    ...(generation && { generation: generation + 1 }),
    deletionTimestamp: formatTime(now + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
  })
}

/** A negative grace period counts as one second, because zero means at once. */
function effectiveGracePeriod(seconds: number): number {
  return seconds < 0 ? 1 : seconds
}

/** A further deletion can only shorten the grace period. */
function withShorterGracePeriod(object: KubeObject, requested: number | undefined): KubeObject | 'pending' | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata
  if (deletionGracePeriodSeconds === undefined) return undefined
  if (requested === undefined || requested >= deletionGracePeriodSeconds) return 'pending'
  const started = Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000
  return withMetadata(object, {
    deletionTimestamp: formatTime(started + requested * 1000),
    deletionGracePeriodSeconds: requested,
  })
}

/** Marks an object of another kind as deleted now. This increments its generation. */
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

/** The finalizers of the deleted object, with those of the propagation policy. */
function finalizersOfDeletion(type: ServedKind, { metadata }: KubeObject, options: DeleteOptions): readonly string[] {
  const present = metadata.finalizers ?? []
  const others = present.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer)
  switch (propagationPolicy(type, present, options)) {
    case 'Orphan':
      return [...others, orphanFinalizer]
    case 'Foreground':
      return [...others, foregroundFinalizer]
    default:
      return others
  }
}

function propagationPolicy(type: ServedKind, present: readonly string[], options: DeleteOptions): string {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background'
  if (options.propagationPolicy !== undefined) return options.propagationPolicy
  if (present.includes(orphanFinalizer)) return 'Orphan'
  if (present.includes(foregroundFinalizer)) return 'Foreground'
  return type.strategy.deletion?.orphansDependents ? 'Orphan' : 'Background'
}

/** Whether a deleted object has nothing left to wait for: then the write that causes this removes it. */
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
