import { type Clock, systemClock } from './clock.js'
import { type Logger, silentLogger } from './logging.js'
import { type Metrics, metrics } from './metrics.js'
import { type Random, systemRandom } from './random.js'
import { type Tracer, tracer } from './tracing.js'

/**
 * Everything outside of a component that it may use: time, random numbers, logs, metrics and traces. It is passed to constructors, and
 * nothing bypasses it, so that a whole cluster can run on a virtual clock from a seed, exactly repeatable.
 */
export interface Environment {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly tracer: Tracer
  readonly metrics: Metrics
}

/** Returns the real environment, except for what is given. Logs nothing unless a logger is given. */
export function environment(parts: Partial<Environment> = {}): Environment {
  return {
    clock: parts.clock ?? systemClock,
    random: parts.random ?? systemRandom(),
    log: parts.log ?? silentLogger,
    tracer: parts.tracer ?? tracer(),
    metrics: parts.metrics ?? metrics(),
  }
}
