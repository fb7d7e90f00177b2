import type { MetricSample, Metrics } from '../../base/metrics.js'
import { text } from '../answer.js'
import type { Exchange, ExchangeListener } from '../exchange.js'
import type { Stage } from '../stage.js'
import type { FlowLevels } from './levels.js'
import { isLongRunning } from './long-running.js'
import type { PriorityLevel, Refusal } from './priority-level.js'

/** When is your turn: at once for most, later where one level is asked for more than it can do. */
export function flowControlStage(levels: FlowLevels): Stage {
  return {
    name: 'flow control',
    run(exchange) {
      const { info, user } = exchange
      if (isLongRunning(info) && info.verb !== 'watch') return undefined
      const { level, levelObject, schema, key } = levels.assign(info, user)
      const { headers } = exchange
      headers['x-kubernetes-pf-flowschema-uid'] = schema.metadata.uid ?? ''
      headers['x-kubernetes-pf-prioritylevel-uid'] = levelObject.metadata.uid ?? ''
      exchange.decision = levelObject.metadata.name ?? ''
      exchange.reason = key
      if (!level) return undefined
      const entering = level.enter(key)
      if (entering instanceof Promise)
        return entering.then((refusal) => admitLater(exchange, refusal, { level, levels }))
      return admit(exchange, entering, { level, levels })
    },
  }
}

interface Place {
  readonly level: PriorityLevel
  readonly levels: FlowLevels
}

/** Whoever left while he waited needs nothing any more. */
function admitLater(exchange: Exchange, refusal: Refusal | undefined, place: Place): void {
  const { signal } = exchange.request
  admit(exchange, refusal, place)
  if (signal.aborted) throw signal.reason
}

function admit(exchange: Exchange, refusal: Refusal | undefined, { level, levels }: Place): void {
  if (refusal === undefined) sit(exchange, level, levels)
  else comeBackLater(exchange)
}

/** A seat is given back once, however the request ends. */
function sit(exchange: Exchange, level: PriorityLevel, levels: FlowLevels): void {
  let isSeated = true
  const leave = () => {
    if (isSeated) levels.leave(level)
    isSeated = false
  }
  // What a watch begins with is work; what it tells later is not the work of who watches. Nor is waiting.
  const listener: ExchangeListener = { started: leave, waiting: leave, ended: leave }
  exchange.listeners = exchange.listeners ? [...exchange.listeners, listener] : [listener]
}

export function comeBackLater(exchange: Exchange): void {
  exchange.headers['retry-after'] = '1'
  exchange.answer = text(429, 'Too many requests, please try again later.\n')
}

/** The numbers of all levels, under upstream's names. */
export function describeLevels(levels: FlowLevels, metrics: Metrics): void {
  const each = (samples: (level: PriorityLevel, name: string) => readonly MetricSample[]) => () =>
    [...levels.levels].flatMap(([name, level]) => samples(level, name))
  const number = (of: (level: PriorityLevel) => number) =>
    each((level, priority_level) => [{ labels: { priority_level }, value: of(level) }])
  const prefix = 'apiserver_flowcontrol'
  metrics.collected(
    { name: `${prefix}_current_executing_requests`, help: 'Requests that have a seat', type: 'gauge' },
    number((level) => level.executing),
  )
  metrics.collected(
    { name: `${prefix}_current_inqueue_requests`, help: 'Requests that wait for a seat', type: 'gauge' },
    number((level) => level.waiting),
  )
  metrics.collected(
    { name: `${prefix}_dispatched_requests_total`, help: 'Requests that got a seat', type: 'counter' },
    number((level) => level.dispatched),
  )
  metrics.collected(
    { name: `${prefix}_rejected_requests_total`, help: 'Requests that were turned away', type: 'counter' },
    each(({ refused }, priority_level) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { priority_level, reason }, value })),
    ),
  )
}
