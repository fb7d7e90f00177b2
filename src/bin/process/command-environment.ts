import { systemClock } from '../../base/clock.js'
import { type Environment, environment } from '../../base/environment.js'
import { formatLogRecord, logger } from '../../base/logging.js'

/**
 * The real world. The log goes to standard error, so that standard output says only what a person asked for. A command that tells people
 * itself what it does has a quiet log.
 */
export function commandEnvironment(verbosity: number, usual: 'info' | 'warn' = 'info'): Environment {
  const write = (record: Parameters<typeof formatLogRecord>[0]) => process.stderr.write(formatLogRecord(record))
  return environment({
    log: logger({
      now: () => systemClock.now(),
      write,
      level: verbosity >= 4 ? 'debug' : verbosity > 0 ? 'info' : usual,
    }),
  })
}
