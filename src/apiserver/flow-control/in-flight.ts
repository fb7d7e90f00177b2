import type { PipelineStage, RequestListener } from '../request/request-context.js'
import { isLongRunning } from '../request/request-info.js'
import { comeBackLater } from './stage.js'

export interface InFlightLimits {
  /** Upper bound of concurrent requests; 0: no limit. */
  readonly reading: number
  readonly writing: number
}

const privilegedGroup = 'system:masters'
const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

/** Rejects requests beyond the limits with 429, except those of administrators, who may have to repair the cluster. */
export function inFlightStage(limits: InFlightLimits): PipelineStage {
  const running = { reading: 0, writing: 0 }
  return {
    name: 'in flight',
    run(context) {
      const { info, user } = context
      if (isLongRunning(info)) return
      const kind = reading.has(info.verb) ? 'reading' : 'writing'
      const isFull = limits[kind] > 0 && running[kind] >= limits[kind]
      if (isFull && !user.groups.includes(privilegedGroup)) return comeBackLater(context)
      running[kind]++
      let isRunning = true
      const leave = () => {
        if (isRunning) running[kind]--
        isRunning = false
      }
      const listener: RequestListener = { waiting: leave, ended: leave }
      context.listeners = [...(context.listeners ?? []), listener]
    },
  }
}
