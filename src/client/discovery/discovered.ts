import type { ResourceLocation } from '../resource-location.js'

/** What a server serves. */
export interface Discovered {
  /** In the order in which the server lists them: where names clash, the first one is meant. */
  readonly groups: readonly DiscoveredGroup[]
  /** Versions of groups of which nothing could be learned, and why: the server behind them may be down. */
  readonly failures: readonly DiscoveryFailure[]
}

export interface DiscoveredGroup {
  /** Of the core: ''. */
  readonly name: string
  /** The preferred one first. */
  readonly versions: readonly DiscoveredVersion[]
}

export interface DiscoveredVersion {
  readonly version: string
  readonly resources: readonly DiscoveredResource[]
}

/** A resource; `client.resource` takes it as it is. */
export interface DiscoveredResource extends ResourceLocation {
  readonly group: string
  readonly version: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly DiscoveredSubresource[]
}

export interface DiscoveredSubresource {
  /** `status` */
  readonly name: string
  readonly verbs: readonly string[]
  /** What its objects say they are. */
  readonly apiVersion: string
  readonly kind: string
}

export interface DiscoveryFailure {
  /** `metrics.k8s.io/v1beta1` */
  readonly groupVersion: string
  readonly error: Error
}

export function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

/** Where the resources of a version are served. */
export function rootOf(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}
