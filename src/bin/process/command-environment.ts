import { systemClock } from '../../base/clock.js'
import { type Environment, environment } from '../../base/environment.js'
import { formatLogRecord, logger } from '../../base/logging.js'

/**
 * Returns the environment of a command: the real clock, and a log that goes to standard error. Commands that report their progress to the
 * user have the default level `warn`.
 */
export function commandEnvironment(verbosity: number, defaultLevel: 'info' | 'warn' = 'info'): Environment {
  const write = (record: Parameters<typeof formatLogRecord>[0]) => process.stderr.write(formatLogRecord(record))
  return environment({
    log: logger({
      now: () => systemClock.now(),
      write,
      level: verbosity >= 4 ? 'debug' : verbosity > 0 ? 'info' : defaultLevel,
    }),
  })
}
