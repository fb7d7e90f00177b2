/** `proa/testing`: a cluster inside a test suite. */
export type { DurationLike } from '../base/virtual-clock.js'
export type { Manifest } from './manifests.js'
export { type Cluster, type StartClusterOptions, startCluster, type WaitOptions } from './start-cluster.js'
