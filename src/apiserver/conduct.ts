import type { Environment } from '../base/environment.js'
import { type Answer, isOpenEnded } from './answer.js'
import type { Deadlines } from './deadlines.js'
import type { ApiRequest, Exchange } from './exchange.js'
import { begun, concluded } from './listening.js'
import type { Observer } from './observation.js'
import { walk } from './pipeline.js'
import type { Stage } from './stage.js'
import { anonymous } from './user.js'

/** What every request is taken through, whichever door it came in by. */
export interface Conduct {
  readonly stages: readonly Stage[]
  readonly environment: Environment
  readonly observer: Observer
  readonly deadlines: Deadlines
}

/** How a door hands on what came of a request. Both give the status code, once all of it has left: a watch when it has ended. */
export interface Delivery {
  readonly deliver: (answer: Answer, exchange: Exchange) => number | Promise<number>
  readonly refuse: (error: unknown, exchange: Exchange) => number | Promise<number>
}

/**
 * Takes a request through the stages and hands on what comes of it. Whatever happens, those who count requests, give out seats or
 * write down who did what are told how it ended.
 */
export async function conduct(
  { stages, environment, observer, deadlines }: Conduct,
  request: ApiRequest,
  { deliver, refuse }: Delivery,
): Promise<void> {
  const exchange = newExchange(request, environment)
  observer.begin(exchange)
  let code = 200
  let error: unknown
  try {
    const walking = walk(stages, exchange, environment)
    if (walking) await deadlines.within(walking, exchange)
    const answer = exchange.answer!
    if (isOpenEnded(answer)) {
      observer.watching(exchange)
      begun(exchange)
    }
    const delivered = deliver(answer, exchange)
    // Who takes it too slowly keeps a seat from others.
    code = typeof delivered === 'number' ? delivered : await deadlines.within(delivered, exchange)
  } catch (caught) {
    error = caught
    code = await refuse(error, exchange)
  } finally {
    observer.end(exchange, code)
    const told = exchange.listeners && concluded(exchange, code, error)
    if (told) await told
  }
}

function newExchange(request: ApiRequest, { clock, random }: Environment): Exchange {
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
    answer: undefined,
    decision: '',
    reason: '',
  }
}
