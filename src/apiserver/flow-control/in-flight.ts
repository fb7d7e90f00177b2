import type { PipelineStage, RequestListener } from '../request/request-context.js'
import { isLongRunning } from '../request/request-info.js'
import { comeBackLater } from './stage.js'

export interface InFlightLimits {
  /** At the same time; 0: no limit. */
  readonly reading: number
  readonly writing: number
}

const privilegedGroup = 'system:masters'
const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

/** Turns away whoever is too many at the same time, except those who could do something about it. */
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
