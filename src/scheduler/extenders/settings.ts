/** Where an extender is, and what it is asked. Completed and checked. */
export interface ExtenderSettings {
  readonly urlPrefix: string
  /** What is asked at which path below; what is left out is not asked. */
  readonly filterVerb?: string
  readonly prioritizeVerb?: string
  readonly preemptVerb?: string
  readonly bindVerb?: string
  /** How much its scores count. */
  readonly weight: number
  /** Milliseconds. */
  readonly timeout: number
  /** It knows the nodes itself: only their names are sent. */
  readonly nodeCacheCapable: boolean
  /** It is only asked about pods that want one of these; about all if there are none. */
  readonly managedResources: readonly string[]
  readonly isIgnorable: boolean
  readonly tls?: ExtenderTls
}

/** In PEM form. */
export interface ExtenderTls {
  readonly insecure?: boolean
  readonly servername?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}
