import type { Environment } from '../base/environment.js'
import type { Logger } from '../base/logging.js'
import type { Auditor } from './audit/auditor.js'
import type { Authenticator } from './authentication/authenticator.js'
import { authenticationStage } from './authentication/stage.js'
import type { Authorizer } from './authorization/authorizer.js'
import { impersonationStage } from './authorization/impersonation.js'
import { authorizationStage } from './authorization/stage.js'
import { corsStage } from './cors.js'
import type { Deadlines } from './deadlines.js'
import type { Exchange } from './exchange.js'
import { requestInfo } from './request-info.js'
import { type Endpoints, routingStage } from './routing.js'
import type { Stage } from './stage.js'

export interface PipelineParts {
  readonly authenticators: readonly Authenticator[]
  readonly authorizers: readonly Authorizer[]
  readonly deadlines: Deadlines
  readonly endpoints: Endpoints
  readonly log: Logger
  /** Without one, nothing is written down. */
  readonly auditor?: Auditor | undefined
  /** Without it, everybody is served at once. */
  readonly turns?: Stage | undefined
  readonly origins?: readonly RegExp[] | undefined
}

/** What every request walks through, in this order. The last stage answers; any stage may refuse. */
export function pipeline({
  authenticators,
  authorizers,
  deadlines,
  endpoints,
  auditor,
  turns,
  origins = [],
  log,
}: PipelineParts): readonly Stage[] {
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

const requestInfoStage: Stage = {
  name: 'request-info',
  run(exchange) {
    const { method, path, query } = exchange.request
    exchange.info = requestInfo(method, path, query)
    exchange.decision = exchange.info.verb
    exchange.reason = exchange.info.resource
  },
}

/**
 * Takes a request through the stages until one answers. Each tells what it did to whoever listens. Gives a promise only where a
 * stage had to wait: a get that is answered from memory is answered at once.
 */
export function walk(
  stages: readonly Stage[],
  exchange: Exchange,
  environment: Environment,
  first = 0,
): void | Promise<void> {
  for (let place = first; place < stages.length && !exchange.answer; place++) {
    const stage = stages[place]!
    const running = environment.tracer.active ? runAndReport(stage, exchange, environment) : stage.run(exchange)
    if (running) return running.then(() => walk(stages, exchange, environment, place + 1))
  }
}

async function runAndReport(stage: Stage, exchange: Exchange, { clock, tracer }: Environment): Promise<void> {
  const at = clock.now()
  const began = clock.monotonic()
  exchange.decision = ''
  exchange.reason = ''
  try {
    await stage.run(exchange)
  } catch (error) {
    exchange.decision = 'refused'
    exchange.reason = error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    const { decision, reason, id } = exchange
    const took = clock.monotonic() - began
    tracer.report({
      at,
      took,
      component: 'apiserver',
      stage: stage.name,
      trace: id,
      decision,
      reason,
      ...subjectOf(exchange),
    })
  }
}

function subjectOf({ info }: Exchange): object {
  if (!info.isResource || info.name === '') return {}
  return { subject: { kind: info.resource, namespace: info.namespace, name: info.name } }
}
