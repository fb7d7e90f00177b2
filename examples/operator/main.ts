/** Runs the operator against the cluster that kubectl would use, until SIGTERM or SIGINT. */
import { environment, formatLogRecord, logger, startOperator } from 'proa/controllers'
import { websites } from './website.js'

const log = logger({ now: Date.now, write: (record) => process.stderr.write(formatLogRecord(record)) })
const operator = await startOperator([websites], { environment: environment({ log }) })
process.stdout.write('The operator is at work.\n')
await new Promise((resolve) => process.once('SIGTERM', resolve).once('SIGINT', resolve))
await operator.close()
