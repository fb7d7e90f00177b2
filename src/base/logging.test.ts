import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLogRecord, type LogFields, type LogRecord, logger, silentLogger } from './logging.js'

function collecting(level?: LogRecord['level']) {
  const records: LogRecord[] = []
  const log = logger({ now: () => 1000, write: (record) => records.push(record), ...(level && { level }) })
  return { log, records }
}

const written = (fields: LogFields) =>
  JSON.parse(formatLogRecord({ time: 0, level: 'info', message: 'Something happened', fields }))

test('a record has its time, level, message and fields', () => {
  const { log, records } = collecting()
  log.warn('The disk is slow', { took: 12 })
  assert.deepEqual(records, [{ time: 1000, level: 'warn', message: 'The disk is slow', fields: { took: 12 } }])
})

test('records below the level are dropped', () => {
  const { log, records } = collecting('warn')
  log.debug('one')
  log.info('two')
  log.warn('three')
  log.error('four')
  log.with({ more: true }).info('five')
  assert.deepEqual(
    records.map(({ message }) => message),
    ['three', 'four'],
  )
})

test('loggers inherit fields, and later ones override earlier ones', () => {
  const { log, records } = collecting()
  log.with({ component: 'one', try: 1 }).with({ try: 2 }).info('Again', { reason: 'lost' })
  assert.deepEqual(records[0]?.fields, { component: 'one', try: 2, reason: 'lost' })
})

test('the silent logger writes nothing', () => {
  silentLogger.error('ignored')
  silentLogger.with({ really: true }).error('nor this')
})

test('a record is one line of JSON', () => {
  const line = formatLogRecord({ time: 0, level: 'info', message: 'Two\nlines', fields: { count: 2n ** 64n } })
  assert.equal(
    line,
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"Two\\nlines","count":"18446744073709551616"}\n',
  )
})

test('fields cannot override the time, the level or the message', () => {
  const record = written({ time: 'never', level: 'debug', message: 'nothing', other: 1 })
  assert.deepEqual(record, {
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    message: 'Something happened',
    other: 1,
  })
})

test('errors are written with stack, cause and aggregated errors', () => {
  const { error } = written({ error: new TypeError('outer', { cause: new Error('inner') }) })
  assert.equal(error.name, 'TypeError')
  assert.equal(error.message, 'outer')
  assert.match(error.stack, /logging\.test/)
  assert.equal(error.cause.message, 'inner')
  const { all } = written({ all: new AggregateError([new Error('one'), new Error('two')], 'both') })
  assert.deepEqual(
    all.errors.map(({ message }: Error) => message),
    ['one', 'two'],
  )
})

test('cyclic values can be written, and a value that occurs twice is written twice', () => {
  const loop: Record<string, unknown> = { name: 'loop' }
  loop.self = loop
  const error = new Error('outer')
  error.cause = { error }
  const shared = { once: 1 }
  const record = written({ loop, error, list: [shared, shared] })
  assert.deepEqual(record.loop, { name: 'loop', self: '[circular]' })
  assert.deepEqual(record.error.cause, { error: '[circular]' })
  assert.deepEqual(record.list, [shared, shared])
})
