export type MeasuredResource = 'cpu' | 'memory'

/** Selects samples. */
export interface UsageQuery {
  readonly resource: MeasuredResource
  /** With its tag if `isExact`, otherwise without. */
  readonly image: string
  readonly isExact: boolean
  /** All namespaces, if it is left out. */
  readonly namespace?: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly percentile: number
}

export interface UsageEstimate {
  readonly samples: number
  /** Millicores, or bytes; 0 without samples. */
  readonly usage: number
}

/** The past usage of containers. */
export interface UsageHistory {
  usage(query: UsageQuery): UsageEstimate | Promise<UsageEstimate>
}
