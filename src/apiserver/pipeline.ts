import type { Environment } from '../base/environment.js'
import type { Logger } from '../base/logging.js'
import type { Auditor } from './audit/auditor.js'
import type { Authenticator } from './authentication/authenticator.js'
import { authenticationStage } from './authentication/stage.js'
import type { Authorizer } from './authorization/authorizer.js'
import { impersonationStage } from './authorization/impersonation.js'
import { authorizationStage } from './authorization/stage.js'
import { corsStage } from './request/cors.js'
import type { Deadlines } from './request/deadlines.js'
import type { PipelineStage, RequestContext } from './request/request-context.js'
import { requestInfo } from './request/request-info.js'
import { type RoutingTable, routingStage } from './request/routing.js'

export interface PipelineDependencies {
  readonly authenticators: readonly Authenticator[]
  readonly authorizers: readonly Authorizer[]
  readonly deadlines: Deadlines
  readonly endpoints: RoutingTable
  readonly log: Logger
  /** Without it, there is no audit log. */
  readonly auditor?: Auditor | undefined
  /** Without it, all requests run at once. */
  readonly flowControl?: PipelineStage | undefined
  readonly origins?: readonly RegExp[] | undefined
}

/** Returns the stages of every request, in execution order. The last stage responds; any stage may reject the request. */
export function pipeline({
  authenticators,
  authorizers,
  deadlines,
  endpoints,
  auditor,
  flowControl,
  origins = [],
  log,
}: PipelineDependencies): readonly PipelineStage[] {
  return [
    requestInfoStage, //                        verb, resource and name of the request
    deadlines.stage, //                         how long it may take
    ...(origins.length > 0 ? [corsStage(origins)] : []), // browser requests of other origins
    ...(auditor ? [auditor.arrival] : []), //     before authentication, so that rejected requests are audited
    authenticationStage(authenticators, log), // who are you
    ...(auditor ? [auditor.received] : []), //    the audit level of the request
    impersonationStage(authorizers), //         acting as another user
    ...(flowControl ? [flowControl] : []), // a seat, a queue, or 429
    authorizationStage(authorizers), //         may you
    routingStage(endpoints), //                 a verb of a resource (should you: admission), or an extension
  ]
}

const requestInfoStage: PipelineStage = {
  name: 'request-info',
  run(context) {
    const { method, path, query } = context.request
    context.info = requestInfo(method, path, query)
    context.decision = context.info.verb
    context.reason = context.info.resource
  },
}

/**
 * Runs a request through the stages until one responds. Each stage reports a step to the tracer. Returns a promise only if a stage had to
 * wait: a get is served from memory without one.
 */
export function runStages(
  stages: readonly PipelineStage[],
  context: RequestContext,
  environment: Environment,
  first = 0,
): void | Promise<void> {
  for (let index = first; index < stages.length && !context.response; index++) {
    const stage = stages[index]!
    const running = environment.tracer.active ? runAndReport(stage, context, environment) : stage.run(context)
    if (running) return running.then(() => runStages(stages, context, environment, index + 1))
  }
}

async function runAndReport(
  stage: PipelineStage,
  context: RequestContext,
  { clock, tracer }: Environment,
): Promise<void> {
  const at = clock.now()
  const began = clock.monotonic()
  context.decision = ''
  context.reason = ''
  try {
    await stage.run(context)
  } catch (error) {
    context.decision = 'refused'
    context.reason = error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    const { decision, reason, id } = context
    const took = clock.monotonic() - began
    tracer.report({
      at,
      took,
      component: 'apiserver',
      stage: stage.name,
      trace: id,
      decision,
      reason,
      ...subjectOf(context),
    })
  }
}

function subjectOf({ info }: RequestContext): object {
  if (!info.isResource || info.name === '') return {}
  return { subject: { kind: info.resource, namespace: info.namespace, name: info.name } }
}
