import { isImageName, splitImageName } from '../../../base/image-name.js'
import type { MeasuredResource, UsageEstimate, UsageHistory, UsageQuery } from './usage-history.js'

const day = 24 * 3_600_000
const week = 7 * day
const month = 30 * day
/** With fewer samples, a wider search is better. */
const enoughSamples = 30

export interface EstimateOptions {
  readonly history: UsageHistory
  readonly percentile: number
  /** Ignores samples of other namespaces. */
  readonly namespaceOnly: boolean
  readonly now: number
}

export interface EstimatedContainer {
  readonly resource: MeasuredResource
  readonly image: string
  readonly namespace: string
}

/**
 * Estimates the usage of a container by the samples of its image. Widens the search in time, namespace and image version until there are
 * enough samples. Returns undefined if there are none at all.
 */
export async function estimate(
  { resource, image, namespace }: EstimatedContainer,
  { history, percentile, namespaceOnly, now }: EstimateOptions,
): Promise<number | undefined> {
  let last: UsageEstimate = { samples: 0, usage: 0 }
  for (const { scope, span, isExact } of searchSteps(namespace, namespaceOnly)) {
    const searched = isExact ? image : untagged(image)
    const query: UsageQuery = { resource, image: searched, isExact, ...scope, since: now - span, percentile }
    last = await history.usage(query)
    if (last.samples >= enoughSamples) break
  }
  return last.samples > 0 ? last.usage : undefined
}

interface SearchStep {
  readonly scope: { readonly namespace?: string }
  readonly span: number
  readonly isExact: boolean
}

function searchSteps(namespace: string, namespaceOnly: boolean): readonly SearchStep[] {
  const here = { namespace }
  const near = [
    { scope: here, span: week, isExact: true },
    { scope: here, span: month, isExact: true },
  ]
  if (namespaceOnly) return [...near, { scope: here, span: month, isExact: false }]
  return [
    ...near,
    { scope: {}, span: week, isExact: true },
    { scope: {}, span: month, isExact: true },
    { scope: {}, span: month, isExact: false },
  ]
}

/** Returns an image name without tag and digest; an invalid name as it is. */
export function untagged(image: string): string {
  return isImageName(image) ? splitImageName(image)!.name : image
}
