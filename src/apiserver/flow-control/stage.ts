import type { MetricSample, Metrics } from '../../base/metrics.js'
import type { PipelineStage, RequestContext, RequestListener } from '../request/request-context.js'
import { isLongRunning } from '../request/request-info.js'
import { textResponse } from '../response/response.js'
import type { FlowLevels } from './levels.js'
import type { PriorityLevel, QueueRejection } from './priority-level.js'

/** Lets a request run at once, wait for a seat of its priority level, or fail with 429. */
export function flowControlStage(levels: FlowLevels): PipelineStage {
  return {
    name: 'flow control',
    run(context) {
      const { info, user } = context
      if (isLongRunning(info) && info.verb !== 'watch') return undefined
      const { level, levelObject, schema, key } = levels.assign(info, user)
      const { headers } = context
      headers['x-kubernetes-pf-flowschema-uid'] = schema.metadata.uid ?? ''
      headers['x-kubernetes-pf-prioritylevel-uid'] = levelObject.metadata.uid ?? ''
      context.decision = levelObject.metadata.name ?? ''
      context.reason = key
      if (!level) return undefined
      const entering = level.enter(key)
      if (entering instanceof Promise) return entering.then((reason) => admitLater(context, reason, { level, levels }))
      return admit(context, entering, { level, levels })
    },
  }
}

interface SeatContext {
  readonly level: PriorityLevel
  readonly levels: FlowLevels
}

/** A client that has disconnected while it waited gets no seat. */
function admitLater(context: RequestContext, reason: QueueRejection | undefined, seat: SeatContext): void {
  const { signal } = context.request
  admit(context, reason, seat)
  if (signal.aborted) throw signal.reason
}

function admit(context: RequestContext, reason: QueueRejection | undefined, { level, levels }: SeatContext): void {
  if (reason === undefined) sit(context, level, levels)
  else comeBackLater(context)
}

/** Takes a seat, and releases it once, however the request ends. */
function sit(context: RequestContext, level: PriorityLevel, levels: FlowLevels): void {
  let isSeated = true
  const leave = () => {
    if (isSeated) levels.leave(level)
    isSeated = false
  }
  // The initial events of a watch are work of this request; later events and waiting are not.
  const listener: RequestListener = { started: leave, waiting: leave, ended: leave }
  context.listeners = context.listeners ? [...context.listeners, listener] : [listener]
}

export function comeBackLater(context: RequestContext): void {
  context.headers['retry-after'] = '1'
  context.response = textResponse(429, 'Too many requests, please try again later.\n')
}

/** Registers the metrics of all levels, under upstream's names. */
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
    { name: `${prefix}_rejected_requests_total`, help: 'Rejected requests', type: 'counter' },
    each(({ rejected: refused }, priority_level) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { priority_level, reason }, value })),
    ),
  )
}
