import type { DiscoveredResource } from '../../client/discovery/discovered.js'

/** What is left of one resource in a namespace that is being deleted. */
export interface RemainingContent {
  readonly resource: DiscoveredResource
  readonly count: number
  /** How many objects have each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>
  /** The estimated seconds until it is gone; 0 if unknown. */
  readonly estimate: number
  /** Why it could not be deleted. */
  readonly failure?: string
}

/** How far the deletion of a namespace has come. */
export interface DeletionProgress {
  /** Why the contents could not be discovered completely. */
  readonly undiscovered?: string
  readonly remaining: readonly RemainingContent[]
}

/** Upstream's estimate of how long finalizers take. */
const finalizerSeconds = 15

interface LeftObjects {
  readonly namespace: string
  readonly objects: readonly { readonly metadata: { readonly finalizers?: readonly string[] } }[]
  /** The seconds that are left of the grace period of the objects. */
  readonly grace: number
}

/** Describes what is left after all objects were deleted. Objects without grace period or finalizer should be gone: that is a failure. */
export function remainingContent(
  resource: DiscoveredResource,
  { namespace, objects, grace }: LeftObjects,
): RemainingContent {
  const finalizers = new Map<string, number>()
  for (const { metadata } of objects)
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
  const left = { resource, count: objects.length, finalizers }
  if (objects.length === 0) return { ...left, estimate: 0 }
  if (grace > 0) return { ...left, estimate: grace }
  if (finalizers.size > 0) return { ...left, estimate: finalizerSeconds }
  const { group, version, plural } = resource
  const gvr = `${group}/${version}, Resource=${plural}`
  return {
    ...left,
    estimate: 0,
    failure: `unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}`,
  }
}

interface PodWithGrace {
  readonly spec: { readonly terminationGracePeriodSeconds?: number }
  readonly status: { readonly phase?: string }
}

/** The longest grace period of pods that have not ended, in seconds; 0 if it has passed since the deletion. */
export function remainingGrace(pods: Iterable<PodWithGrace>, deletedAt: number, now: number): number {
  let longest = 0
  for (const { spec, status } of pods)
    if (status.phase !== 'Succeeded' && status.phase !== 'Failed')
      longest = Math.max(longest, spec.terminationGracePeriodSeconds ?? 0)
  return now - deletedAt >= longest * 1000 ? 0 : longest
}
