import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../../schema/declaration.js'
import { KindHarness, type WriteResult } from '../../../../testing/objects/kind-harness.js'

const cronJobs = new KindHarness('batch/v1.CronJob')
const podSpec = { restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] }
const jobTemplate = (spec: JsonObject = {}) => ({ spec: { template: { spec: podSpec }, ...spec } })
const cronJob = (change: JsonObject = {}, metadata: JsonObject = {}) =>
  cronJobs.create({ metadata, spec: { schedule: '@daily', jobTemplate: jobTemplate(), ...change } })
const specOf = ({ object }: WriteResult) => object.spec as JsonObject

describe('a new cron job', () => {
  test('may overlap with itself, and remembers three jobs that succeeded and one that failed', () => {
    const { jobTemplate: template, ...spec } = specOf(cronJob())
    assert.deepEqual(spec, {
      schedule: '@daily',
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    })
    assert.deepEqual(cronJob().errors, [])
    const { template: _, ...jobSpec } = (template as { spec: JsonObject }).spec
    assert.deepEqual(jobSpec, {}, 'jobs are completed when they are made')
  })

  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['has a schedule', { schedule: '' }, ['spec.schedule: Required value']],
    [
      'has a schedule that can be read, and a time zone that exists',
      { schedule: '0 25 * * *', timeZone: 'Mars/Base' },
      [
        'spec.schedule: Invalid value: "0 25 * * *": end of range (25) above maximum (23): 25',
        'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
      ],
    ],
    [
      'has its time zone in a field',
      { schedule: 'TZ=UTC 0 0 * * *' },
      [
        'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      'counts from zero, and has a policy that exists',
      {
        startingDeadlineSeconds: -1,
        concurrencyPolicy: 'Maybe',
        successfulJobsHistoryLimit: -1,
        failedJobsHistoryLimit: -1,
      },
      [
        'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"',
        'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'makes jobs that get their selectors when they are made',
      { jobTemplate: jobTemplate({ selector: { matchLabels: { a: 'b' } }, manualSelector: true, parallelism: -1 }) },
      [
        'spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
        'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
        'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
      ],
    ],
  ]
  for (const [title, change, expected] of wrong) test(title, () => assert.deepEqual(cronJob(change).errors, expected))

  test('has a name that leaves room for those of its jobs', () => {
    assert.deepEqual(cronJob({}, { name: 'a'.repeat(52) }).errors, [])
    assert.deepEqual(cronJob({}, { name: 'a'.repeat(53) }).errors, [
      `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
    ])
    assert.equal(cronJob({}, { name: 'a.b' }).warnings.length, 1)
  })
})

describe('a cron job of old', () => {
  const old = () => {
    const written = cronJob()
    const spec = { ...specOf(written), schedule: 'TZ=UTC 0 0 * * *' }
    return { ...written, object: { ...written.object, spec } }
  }

  test('keeps the time zone in its schedule, with a warning', () => {
    const written = cronJobs.update(old(), { spec: { schedule: 'CRON_TZ=Europe/Vienna 0 0 * * *' } })
    assert.deepEqual(written.errors, [])
    assert.match(written.warnings[0] ?? '', /^CRON_TZ or TZ used in/)
  })

  test('cannot have another one', () =>
    assert.deepEqual(cronJobs.update(old(), { spec: { timeZone: 'UTC' } }).errors, [
      'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
    ]))

  test('keeps a name and a zone that are no longer allowed', () => {
    const written = cronJob({}, { name: 'a'.repeat(60) })
    const odd = { ...written, object: { ...written.object, spec: { ...specOf(written), timeZone: 'utc' } } }
    assert.deepEqual(cronJobs.update(odd, { spec: { suspend: true } }).errors, [])
  })
})

test('a cron job is shown with what it does and did', () => {
  const now = Date.parse('2024-01-01T00:00:00Z')
  const row = cronJobs.row(cronJob({ timeZone: 'Europe/Vienna', suspend: true }), now)
  assert.deepEqual(
    [row.Schedule, row.Timezone, row.Suspend, row.Active, row['Last Schedule']],
    ['@daily', 'Europe/Vienna', 'True', 0, '<none>'],
  )
  assert.deepEqual([row.Containers, row.Images, row.Selector], ['app', 'app:1', '<none>'])
  const status = { active: [{ name: 'a' }], lastScheduleTime: '2023-12-31T23:50:00Z' }
  const later = cronJobs.row(cronJobs.update(cronJob(), { status }, 'status'), now)
  assert.deepEqual([later.Timezone, later.Suspend, later.Active, later['Last Schedule']], ['<none>', 'False', 1, '10m'])
})
