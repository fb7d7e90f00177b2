import type { ResourceLocation } from '../resource-location.js'

/** The API groups and resources that a server serves. */
export interface Discovered {
  /** In the order of the server: if names clash, the first one wins. */
  readonly groups: readonly DiscoveredGroup[]
  /** Versions that could not be discovered, with the reason: the server behind them may be down. */
  readonly failures: readonly DiscoveryFailure[]
}

export interface DiscoveredGroup {
  /** '' for the core group. */
  readonly name: string
  /** The preferred version first. */
  readonly versions: readonly DiscoveredVersion[]
}

export interface DiscoveredVersion {
  readonly version: string
  readonly resources: readonly DiscoveredResource[]
}

/** A resource. It can be passed to `client.resource`. */
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
  /** The version and kind of its objects. */
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

/** Returns the path under which the resources of a version are served. */
export function rootOf(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}
