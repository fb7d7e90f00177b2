import type { RequestContext } from './request-context.js'

/** One step of a request's way. It says in `exchange.decision` what it decided, and throws an `ApiError` to refuse. */
export interface PipelineStage {
  readonly name: string
  /** Only returns a promise when it must wait: most stages decide at once, and cost nothing but their decision. */
  readonly run: (context: RequestContext) => void | Promise<void>
}
