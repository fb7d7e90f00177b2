export type MeasuredResource = 'cpu' | 'memory'

/** Which samples count. */
export interface UsageQuery {
  readonly resource: MeasuredResource
  /** With its tag; without, if any tag will do. */
  readonly image: string
  readonly isExact: boolean
  /** Any, if it is not given. */
  readonly namespace?: string
  /** Milliseconds since 1970. */
  readonly since: number
  /** Below which so many percent of them lie. */
  readonly percentile: number
}

export interface UsageEstimate {
  readonly samples: number
  /** Thousandths of a processor, or bytes; 0 without samples. */
  readonly usage: number
}

/** What containers have used in the past. */
export interface UsageHistory {
  usage(question: UsageQuery): UsageEstimate | Promise<UsageEstimate>
}
