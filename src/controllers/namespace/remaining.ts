import type { DiscoveredResource } from '../../client/discovery/discovered.js'

/** What is left of one resource in a namespace that is to go. */
export interface Remaining {
  readonly resource: DiscoveredResource
  readonly count: number
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>
  /** In how many seconds it is likely to be gone; 0 if there is no reason to think so. */
  readonly estimate: number
  /** Why it could not be deleted. */
  readonly failure?: string
}

/** What came of an attempt to empty a namespace. */
export interface Emptying {
  /** Why not everything could be discovered. */
  readonly undiscovered?: string
  readonly remaining: readonly Remaining[]
}

/** Upstream's: those who wait for something to end usually have what they need within this time. */
const finalizerSeconds = 15

interface Left {
  readonly namespace: string
  readonly objects: readonly { readonly metadata: { readonly finalizers?: readonly string[] } }[]
  /** How many seconds the objects may take by their own account. */
  readonly grace: number
}

/** What is left after everything was told to go, and whether that is as it should be. */
export function remainingOf(resource: DiscoveredResource, { namespace, objects, grace }: Left): Remaining {
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

interface MortalPod {
  readonly spec: { readonly terminationGracePeriodSeconds?: number }
  readonly status: { readonly phase?: string }
}

/** How many seconds pods may take to end, from the time on when they were told to; 0 if that is over. */
export function graceOf(pods: Iterable<MortalPod>, deletedAt: number, now: number): number {
  let longest = 0
  for (const { spec, status } of pods)
    if (status.phase !== 'Succeeded' && status.phase !== 'Failed')
      longest = Math.max(longest, spec.terminationGracePeriodSeconds ?? 0)
  return now - deletedAt >= longest * 1000 ? 0 : longest
}
