import { isImageName, splitImageName } from '../../../base/image-name.js'
import type { MeasuredResource, UsageEstimate, UsageHistory, UsageQuery } from './usage-history.js'

const day = 24 * 3_600_000
const week = 7 * day
const month = 30 * day
/** With fewer of them, samples from further away are better. */
const enough = 30

export interface EstimateOptions {
  readonly history: UsageHistory
  readonly percentile: number
  /** Other namespaces do not count. */
  readonly namespaceOnly: boolean
  readonly now: number
}

export interface EstimatedContainer {
  readonly resource: MeasuredResource
  readonly image: string
  readonly namespace: string
}

/**
 * What a container will use, by what others of its image have used: first by what is nearest, then by what is further away in
 * time, namespace and version, until there is enough to go by. Undefined if nothing is known at all.
 */
export async function estimate(
  { resource, image, namespace }: EstimatedContainer,
  { history, percentile, namespaceOnly, now }: EstimateOptions,
): Promise<number | undefined> {
  let last: UsageEstimate = { samples: 0, usage: 0 }
  for (const { place, span, isExact } of ladder(namespace, namespaceOnly)) {
    const named = isExact ? image : untagged(image)
    const question: UsageQuery = { resource, image: named, isExact, ...place, since: now - span, percentile }
    last = await history.usage(question)
    if (last.samples >= enough) break
  }
  return last.samples > 0 ? last.usage : undefined
}

interface Step {
  readonly place: { readonly namespace?: string }
  readonly span: number
  readonly isExact: boolean
}

function ladder(namespace: string, namespaceOnly: boolean): readonly Step[] {
  const here = { namespace }
  const near = [
    { place: here, span: week, isExact: true },
    { place: here, span: month, isExact: true },
  ]
  if (namespaceOnly) return [...near, { place: here, span: month, isExact: false }]
  return [
    ...near,
    { place: {}, span: week, isExact: true },
    { place: {}, span: month, isExact: true },
    { place: {}, span: month, isExact: false },
  ]
}

/** Without tag and digest. What is no name of an image is only itself. */
export function untagged(image: string): string {
  return isImageName(image) ? splitImageName(image)!.name : image
}
