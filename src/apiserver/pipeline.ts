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
  /** Without one, nothing is written down. */
  readonly auditor?: Auditor | undefined
  /** Without it, everybody is served at once. */
  readonly flowControl?: PipelineStage | undefined
  readonly origins?: readonly RegExp[] | undefined
}

/** What every request walks through, in this order. The last stage answers; any stage may refuse. */
export function pipeline({
  authenticators,
  authorizers,
  deadlines,
  endpoints,
  auditor,
  flowControl: turns,
  origins = [],
  log,
}: PipelineDependencies): readonly PipelineStage[] {
  return [
    requestInfoStage, //                        what is asked for
    deadlines.stage, //                         how long it may take
    ...(origins.length > 0 ? [corsStage(origins)] : []), // may a page ask
    ...(auditor ? [auditor.arrival] : []), //     so that also those who are refused are written down
    authenticationStage(authenticators, log), // who are you
    ...(auditor ? [auditor.received] : []), //    how much is written down
    impersonationStage(authorizers), //         and as whom
    ...(turns ? [turns] : []), //                 when is your turn
    authorizationStage(authorizers), //         may you
    routingStage(endpoints), //                 where it leads: a verb of a resource (should you: admission), or an extension
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
 * Takes a request through the stages until one answers. Each tells what it did to whoever listens. Gives a promise only where a
 * stage had to wait: a get that is answered from memory is answered at once.
 */
export function runStages(
  stages: readonly PipelineStage[],
  context: RequestContext,
  environment: Environment,
  first = 0,
): void | Promise<void> {
  for (let place = first; place < stages.length && !context.response; place++) {
    const stage = stages[place]!
    const running = environment.tracer.active ? runAndReport(stage, context, environment) : stage.run(context)
    if (running) return running.then(() => runStages(stages, context, environment, place + 1))
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
