/** An extender of a configuration or policy file, with defaults set and validated. */
export interface ExtenderSettings {
  readonly urlPrefix: string
  /** Paths below `urlPrefix`. The extender is not called for a verb that is left out. */
  readonly filterVerb?: string
  readonly prioritizeVerb?: string
  readonly preemptVerb?: string
  readonly bindVerb?: string
  /** How much its scores count. */
  readonly weight: number
  /** Milliseconds. */
  readonly timeout: number
  /** The extender knows the nodes: requests contain only their names. */
  readonly nodeCacheCapable: boolean
  /** The extender is called only for pods that request one of these resources; for all pods if empty. */
  readonly managedResources: readonly string[]
  readonly isIgnorable: boolean
  readonly tls?: ExtenderTls
}

/** Certificates and key as PEM. */
export interface ExtenderTls {
  readonly insecure?: boolean
  readonly servername?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}
