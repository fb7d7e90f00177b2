/** Who this kubelet is, and where its things are. */
export interface NodeIdentity {
  /** The name of its Node. */
  readonly nodeName: string
  /** `/var/lib/kubelet` upstream: `pods/<uid>/…`, `plugins`, checkpoints. */
  readonly rootFolder: string
  /** `/var/log/pods` upstream: `<namespace>_<name>_<uid>/<container>/<restart count>.log`. */
  readonly podLogsFolder: string
  /** The node's own, the primary one first. */
  readonly hostAddresses: readonly string[]
  readonly clusterDomain: string
  readonly clusterDns: readonly string[]
}
