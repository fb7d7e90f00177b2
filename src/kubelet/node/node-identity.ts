/** The name, addresses and folders of a kubelet. */
export interface NodeIdentity {
  /** Name of the Node. */
  readonly nodeName: string
  /** `/var/lib/kubelet` upstream: `pods/<uid>/…`, `plugins`, checkpoints. */
  readonly rootFolder: string
  /** `/var/log/pods` upstream: `<namespace>_<name>_<uid>/<container>/<restart count>.log`. */
  readonly podLogsFolder: string
  /** Addresses of the node, primary first. */
  readonly hostAddresses: readonly string[]
  readonly clusterDomain: string
  readonly clusterDns: readonly string[]
}
