/** `proa/testing`: a cluster inside a test suite. */
export type { Clock } from '../base/clock.js'
export type { DurationLike } from '../base/virtual-clock.js'
export type { ClusterAccess, ClusterUser } from './cluster-access.js'
export type { StartClusterOptions, WaitOptions } from './cluster-options.js'
export type { Manifest } from './manifests.js'
export { type Cluster, startCluster } from './start-cluster.js'
