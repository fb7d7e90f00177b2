import { type Clock, systemClock } from './clock.js'
import { type Logger, silentLogger } from './logging.js'
import { type Metrics, metrics } from './metrics.js'
import { type Random, systemRandom } from './random.js'
import { type Tracer, tracer } from './tracing.js'

/**
 * What a component may know of the world outside: the time, chance, and where to report. It is handed in at construction and
 * nothing reaches around it, so that a whole cluster can run under a virtual clock from a seed, exactly repeatable.
 */
export interface Environment {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly tracer: Tracer
  readonly metrics: Metrics
}

/** The real world, except for what is given. Logs nothing unless a logger is given. */
export function environment(parts: Partial<Environment> = {}): Environment {
  return {
    clock: parts.clock ?? systemClock,
    random: parts.random ?? systemRandom(),
    log: parts.log ?? silentLogger,
    tracer: parts.tracer ?? tracer(),
    metrics: parts.metrics ?? metrics(),
  }
}
