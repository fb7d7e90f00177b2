import type { Exchange } from './exchange.js'

/** One step of a request's way. It says in `exchange.decision` what it decided, and throws an `ApiError` to refuse. */
export interface Stage {
  readonly name: string
  /** Only returns a promise when it must wait: most stages decide at once, and cost nothing but their decision. */
  readonly run: (exchange: Exchange) => void | Promise<void>
}
