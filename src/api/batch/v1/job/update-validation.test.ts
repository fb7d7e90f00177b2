import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../../schema/declaration.js'
import { KindHarness, type WriteResult } from '../../../../testing/objects/kind-harness.js'

const jobs = new KindHarness('batch/v1.Job')
const podSpec = { restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] }
const job = (change: JsonObject = {}) =>
  jobs.create({ metadata: { name: 'pi' }, spec: { template: { spec: podSpec }, ...change } })
const specOf = ({ object }: WriteResult) => object.spec as JsonObject
const uid = '00000000-0000-4000-8000-000000000001'

describe('a job that changes', () => {
  const template = (spec: JsonObject) => ({ spec: { template: { spec } } })
  const another = { containers: [{ ...podSpec.containers[0], image: 'app:2' }] }
  const larger = { containers: [{ ...podSpec.containers[0], resources: { limits: { cpu: '2' } } }] }
  const elsewhere = {
    nodeSelector: { pool: 'a' },
    tolerations: [{ operator: 'Exists' }],
    schedulingGates: [{ name: 'example.com/wait' }],
  }

  test('may run faster, longer, or not at all', () =>
    assert.deepEqual(
      jobs.update(job(), { spec: { parallelism: 3, activeDeadlineSeconds: 9, backoffLimit: 1, suspend: true } }).errors,
      [],
    ))

  test('keeps its pods while it runs', () => {
    for (const change of [another, larger, elsewhere])
      assert.deepEqual(jobs.update(job(), template(change)).errors, [
        'spec.template: Invalid value: field is immutable',
      ])
  })

  test('may change where its pods run and what they get while it is suspended', () => {
    const suspended = job({ suspend: true })
    assert.deepEqual(jobs.update(suspended, template(elsewhere)).errors, [])
    assert.deepEqual(jobs.update(suspended, template(larger)).errors, [])
    assert.deepEqual(jobs.update(suspended, template({ affinity: { nodeAffinity: {} } })).errors, [])
    assert.deepEqual(
      jobs.update(suspended, { spec: { template: { metadata: { annotations: { a: 'b' } } } } }).errors,
      [],
    )
    assert.deepEqual(jobs.update(suspended, template(another)).errors, [
      'spec.template.spec: Invalid value: field is immutable',
    ])
    assert.deepEqual(jobs.update(suspended, template({ affinity: { podAffinity: {} } })).errors.length, 1)
  })

  test('that was started and suspended has to come to rest first', () => {
    const startTime = '2024-01-01T00:00:00Z'
    const started = jobs.update(job({ suspend: true }), { status: { startTime } }, 'status')
    assert.equal(jobs.update(started, template(elsewhere)).errors.length, 1)
    const conditions = [{ type: 'Suspended', status: 'True' }]
    const atRest = jobs.update(started, { status: { conditions } }, 'status')
    assert.deepEqual(jobs.update(atRest, template(elsewhere)).errors, [])
    const busy = jobs.update(atRest, { status: { active: 1 } }, 'status')
    assert.equal(jobs.update(busy, template(elsewhere)).errors.length, 1)
  })

  test('keeps how often it runs, unless all of its indexes run at once', () => {
    assert.deepEqual(jobs.update(job(), { spec: { completions: 2 } }).errors, [
      'spec.completions: Invalid value: 2: field is immutable',
    ])
    const elastic = job({ completionMode: 'Indexed', completions: 3, parallelism: 3 })
    assert.deepEqual(jobs.update(elastic, { spec: { completions: 2, parallelism: 2 } }).errors, [])
    assert.deepEqual(jobs.update(elastic, { spec: { completions: 2 } }).errors, [
      'spec.completions: Invalid value: 2: can only be modified in tandem with spec.parallelism',
    ])
  })

  test('keeps its policies', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }]
    assert.deepEqual(
      jobs.update(job({ podReplacementPolicy: 'Failed' }), { spec: { podFailurePolicy: { rules } } }).errors,
      [
        'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"FailJob","OnExitCodes":{"ContainerName":null,"Operator":"In","Values":[1]},"OnPodConditions":null}]}: field is immutable',
      ],
    )
    assert.deepEqual(jobs.update(job(), { spec: { managedBy: 'example.com/me' } }).errors, [
      'spec.managedBy: Invalid value: "example.com/me": field is immutable',
    ])
  })

  test('is told twice what is wrong with it, because it is looked at twice', () => {
    const problem = 'spec.parallelism: Invalid value: -1: must be greater than or equal to 0'
    assert.deepEqual(jobs.update(job(), { spec: { parallelism: -1 } }).errors, [problem, problem])
  })

  test('is not asked for labels that jobs of old do not have', () => {
    const written = job()
    const labels = { 'controller-uid': uid, 'job-name': 'pi' }
    const template = { ...(specOf(written).template as JsonObject), metadata: { labels } }
    const spec = { ...specOf(written), selector: { matchLabels: { 'controller-uid': uid } }, template }
    const old = { ...written, object: { ...written.object, spec } }
    assert.deepEqual(jobs.update(old, { spec: { parallelism: 2 } }).errors, [])
  })
})
