import type { Environment } from '../../base/environment.js'
import { runStages } from '../pipeline.js'
import type { ObjectEncoder } from '../response/object-encoder.js'
import { type ApiResponse, isOpenEnded } from '../response/response.js'
import type { Deadlines } from './deadlines.js'
import type { ApiRequest, PipelineStage, RequestContext } from './request-context.js'
import { reportEnded, reportStarted } from './request-listeners.js'
import type { RequestMetrics } from './request-metrics.js'
import { anonymous } from './user.js'

/** What handles a request, whichever transport received it. */
export interface RequestHandlerDependencies {
  readonly stages: readonly PipelineStage[]
  readonly environment: Environment
  readonly metrics: RequestMetrics
  readonly deadlines: Deadlines
}

/** How transports encode responses, in addition. */
export interface TransportDependencies extends RequestHandlerDependencies {
  readonly encoder: ObjectEncoder
}

/** Sends the response of one request. Both functions return the status code when all of it has been sent: for a watch, when it has ended. */
export interface ResponseSender {
  readonly send: (response: ApiResponse, context: RequestContext) => number | Promise<number>
  readonly sendError: (error: unknown, context: RequestContext) => number | Promise<number>
}

/**
 * Runs a request through the stages of the pipeline and sends the response. Whatever happens, metrics and the listeners of the request (flow
 * control, audit) learn how it ended.
 */
export async function handleRequest(
  { stages, environment, metrics, deadlines }: RequestHandlerDependencies,
  request: ApiRequest,
  { send, sendError }: ResponseSender,
): Promise<void> {
  const context = newRequestContext(request, environment)
  metrics.begin(context)
  let code = 200
  let error: unknown
  try {
    const running = runStages(stages, context, environment)
    if (running) await deadlines.within(running, context)
    const response = context.response!
    if (isOpenEnded(response)) {
      metrics.watching(context)
      reportStarted(context)
    }
    const sending = send(response, context)
    // A client that reads too slowly must not keep its seat of flow control.
    code = typeof sending === 'number' ? sending : await deadlines.within(sending, context)
  } catch (caught) {
    error = caught
    code = await sendError(error, context)
  } finally {
    metrics.end(context, code)
    const reporting = context.listeners && reportEnded(context, code, error)
    if (reporting) await reporting
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
