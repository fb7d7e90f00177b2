import { resolve } from 'node:path'
import { systemClock } from '../base/clock.js'
import { type Environment, environment } from '../base/environment.js'
import { formatLogRecord, logger } from '../base/logging.js'
import { usualDataDirectory } from './cluster/data-directory.js'

/**
 * The real world. The log goes to standard error, so that standard output says only what a person asked for. A command that tells people
 * itself what it does has a quiet log.
 */
export function surroundings(verbosity: number, usual: 'info' | 'warn' = 'info'): Environment {
  const write = (record: Parameters<typeof formatLogRecord>[0]) => process.stderr.write(formatLogRecord(record))
  return environment({
    log: logger({
      now: () => systemClock.now(),
      write,
      level: verbosity >= 4 ? 'debug' : verbosity > 0 ? 'info' : usual,
    }),
  })
}

/** Used by `image` until it takes `--name`. */
export function defaultDataDirectory(): string {
  return process.env.PROA_DATA_DIR ? resolve(process.env.PROA_DATA_DIR) : usualDataDirectory()
}
