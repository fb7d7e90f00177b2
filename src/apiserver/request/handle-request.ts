import type { Environment } from '../../base/environment.js'
import { runStages } from '../pipeline.js'
import { type ApiResponse, isOpenEnded } from '../response/response.js'
import type { Deadlines } from './deadlines.js'
import type { ApiRequest, RequestContext } from './request-context.js'
import { reportEnded, reportStarted } from './request-listeners.js'
import type { RequestMetrics } from './request-metrics.js'
import type { PipelineStage } from './stage.js'
import { anonymous } from './user.js'

/** What every request is taken through, whichever door it came in by. */
export interface RequestHandlerDependencies {
  readonly stages: readonly PipelineStage[]
  readonly environment: Environment
  readonly observer: RequestMetrics
  readonly deadlines: Deadlines
}

/** How a door hands on what came of a request. Both give the status code, once all of it has left: a watch when it has ended. */
export interface ResponseSender {
  readonly send: (response: ApiResponse, context: RequestContext) => number | Promise<number>
  readonly sendError: (error: unknown, context: RequestContext) => number | Promise<number>
}

/**
 * Takes a request through the stages and hands on what comes of it. Whatever happens, those who count requests, give out seats or
 * write down who did what are told how it ended.
 */
export async function handleRequest(
  { stages, environment, observer, deadlines }: RequestHandlerDependencies,
  request: ApiRequest,
  { send: deliver, sendError: refuse }: ResponseSender,
): Promise<void> {
  const context = newRequestContext(request, environment)
  observer.begin(context)
  let code = 200
  let error: unknown
  try {
    const walking = runStages(stages, context, environment)
    if (walking) await deadlines.within(walking, context)
    const response = context.response!
    if (isOpenEnded(response)) {
      observer.watching(context)
      reportStarted(context)
    }
    const delivered = deliver(response, context)
    // Who takes it too slowly keeps a seat from others.
    code = typeof delivered === 'number' ? delivered : await deadlines.within(delivered, context)
  } catch (caught) {
    error = caught
    code = await refuse(error, context)
  } finally {
    observer.end(context, code)
    const told = context.listeners && reportEnded(context, code, error)
    if (told) await told
  }
}

function newRequestContext(request: ApiRequest, { clock, random }: Environment): RequestContext {
  return {
    request,
    id: request.headers['audit-id']?.toString() ?? random.uuid(),
    received: clock.now(),
    began: clock.monotonic(),
    info: undefined as never, // the first stage sets it
    user: anonymous,
    warnings: new Set(),
    headers: {},
    isKnown: false,
    response: undefined,
    decision: '',
    reason: '',
  }
}
