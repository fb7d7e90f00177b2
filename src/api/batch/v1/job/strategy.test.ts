import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../../schema/declaration.js'
import { KindHarness, type WriteResult } from '../../../../testing/objects/kind-harness.js'
import { builtin } from '../../../scheme.js'

const jobs = new KindHarness('batch/v1.Job')
const podSpec = { restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] }
const job = (change: JsonObject = {}, metadata: JsonObject = {}) =>
  jobs.create({ metadata: { name: 'pi', ...metadata }, spec: { template: { spec: podSpec }, ...change } })
const problems = (change: JsonObject) => job(change).errors
const specOf = ({ object }: WriteResult) => object.spec as JsonObject
const metadataOf = ({ object }: WriteResult) => object.metadata as JsonObject
const uid = '00000000-0000-4000-8000-000000000001'
const generated = {
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': 'pi',
  'controller-uid': uid,
  'job-name': 'pi',
}

describe('a new job', () => {
  test('runs one pod once, and tries again six times', () => {
    const { template: _, selector: __, ...spec } = specOf(job())
    assert.deepEqual(spec, {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      manualSelector: false,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    })
    assert.deepEqual(job().errors, [])
  })

  test('that says how many pods run is a queue of unknown length', () =>
    assert.equal(specOf(job({ parallelism: 2 })).completions, undefined))

  test('whose indexes have limits of their own has none as a whole', () =>
    assert.equal(specOf(job({ completionMode: 'Indexed', backoffLimitPerIndex: 1 })).backoffLimit, 2147483647))

  test('gets a selector and labels, for itself and for its pods', () => {
    const written = job({ template: { metadata: { labels: { app: 'x' } }, spec: podSpec } })
    assert.deepEqual(specOf(written).selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } })
    const { metadata } = specOf(written).template as { metadata: JsonObject }
    assert.deepEqual(metadata.labels, { app: 'x', ...generated })
    assert.deepEqual(metadataOf(written).labels, { app: 'x', ...generated })
  })

  test('keeps labels of its own', () =>
    assert.deepEqual(metadataOf(job({}, { labels: { mine: 'yes' } })).labels, { mine: 'yes' }))

  test('is labelled like its pods also by who writes its status', () => {
    const old = job()
    const written = jobs.update(old, (draft) => Object.assign(draft, { metadata: { name: 'pi' }, spec: {} }), 'status')
    assert.deepEqual(metadataOf(written).labels, generated)
    assert.deepEqual(specOf(written), specOf(old))
  })

  test('may choose its pods itself', () => {
    const template = { metadata: { labels: { app: 'x' } }, spec: podSpec }
    const written = job({ manualSelector: true, selector: { matchLabels: { app: 'x' } }, template })
    assert.deepEqual(written.errors, [])
    assert.deepEqual(metadataOf(written).labels, { app: 'x' })
    assert.deepEqual(problems({ manualSelector: true }), [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
    ])
  })

  test('cannot give its pods the labels of another job', () =>
    assert.deepEqual(problems({ template: { metadata: { labels: { 'job-name': 'tau' } }, spec: podSpec } }), [
      `spec.template.metadata.labels[job-name]: Invalid value: ${JSON.stringify({ ...generated, 'job-name': 'tau' })}: must be 'pi'`,
    ]))

  const indexed = { completionMode: 'Indexed', completions: 5 }
  const wrong: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    [
      'counts from zero',
      { parallelism: -1, backoffLimit: -1, ttlSecondsAfterFinished: -1, activeDeadlineSeconds: -1 },
      [
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
        'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      'ends, so that its pods are not always restarted',
      { template: { spec: { ...podSpec, restartPolicy: 'Always' } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'has modes and policies that exist',
      { completionMode: 'Random', podReplacementPolicy: 'Soon' },
      [
        'spec.completionMode: Unsupported value: "Random": supported values: "NonIndexed", "Indexed"',
        'spec.podReplacementPolicy: Unsupported value: "Soon": supported values: "Failed", "TerminatingOrFailed"',
      ],
    ],
    [
      'needs to know how many indexes it has',
      { completionMode: 'Indexed', parallelism: 100_001 },
      [
        'spec.completions: Required value: when completion mode is Indexed',
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
    ],
    [
      'has limits of indexes only if it has indexes',
      { backoffLimitPerIndex: 1, maxFailedIndexes: 1 },
      [
        'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
        'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
      ],
    ],
    [
      'cannot have more indexes fail than there are',
      { ...indexed, maxFailedIndexes: 6 },
      [
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.maxFailedIndexes: Invalid value: 6: must be less than or equal to completions',
      ],
    ],
    [
      'has narrower limits if it has very many indexes',
      { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 },
      [
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
    ],
    [
      'is managed by someone with a domain and a short name',
      { managedBy: `example.com/${'x'.repeat(60)}` },
      ['spec.managedBy: Too long: may not be more than 63 bytes'],
    ],
    [
      'is managed by someone with a domain',
      { managedBy: 'me' },
      ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'judges failures of pods that are not restarted, and waits for them',
      {
        template: { spec: { ...podSpec, restartPolicy: 'OnFailure' } },
        podReplacementPolicy: 'TerminatingOrFailed',
        podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
      },
      [
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
    ],
    [
      'judges failures by exit codes or by conditions',
      {
        podFailurePolicy: {
          rules: [
            { action: 'FailIndex', onExitCodes: { operator: 'In', values: [0, 3, 2, 3], containerName: 'nobody' } },
            { action: 'Explode', onExitCodes: { operator: 'Near', values: [] } },
            { action: '', onPodConditions: [{ type: 'a b', status: 'Maybe' }] },
            { action: 'Count' },
            {
              action: 'Ignore',
              onExitCodes: { operator: 'NotIn', values: [0] },
              onPodConditions: [{ type: 'Ready', status: 'False' }],
            },
          ],
        },
      },
      [
        'spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
        'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "nobody": must be one of the container or initContainer names in the pod template',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[3]: Duplicate value: 3',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [0,3,2,3]: must be ordered',
        'spec.podFailurePolicy.rules[1].action: Unsupported value: "Explode": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
        'spec.podFailurePolicy.rules[1].onExitCodes.operator: Unsupported value: "Near": supported values: "In", "NotIn"',
        'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: null: at least one value is required',
        'spec.podFailurePolicy.rules[2].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        `spec.podFailurePolicy.rules[2].onPodConditions[0].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        'spec.podFailurePolicy.rules[2].onPodConditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
        'spec.podFailurePolicy.rules[3]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
        'spec.podFailurePolicy.rules[4]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
      ],
    ],
    [
      'can succeed early only with indexes that it has',
      {
        ...indexed,
        successPolicy: { rules: [{}, { succeededIndexes: '1-9' }, { succeededIndexes: '0-1', succeededCount: 6 }] },
      },
      [
        'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
        'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "1-9": error parsing succeededIndexes: too large index: "9"',
        'spec.successPolicy.rules[2].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)',
        'spec.successPolicy.rules[2].succeededCount: Invalid value: 6: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      ],
    ],
    [
      'can succeed early only by some rule, and only by index',
      { ...indexed, successPolicy: { rules: [] } },
      [
        'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
      ],
    ],
  ]
  for (const [title, change, expected] of wrong) test(title, () => assert.deepEqual(problems(change), expected))

  test('with indexes has pods whose host names fit', () =>
    assert.deepEqual(job({ completionMode: 'Indexed', completions: 10 }, { name: 'a.b' }).errors, [
      'metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-9',
    ]))

  test('is warned if it has more indexes than can be tracked', () => {
    const many = { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 }
    assert.equal(job(many).warnings.length, 1)
    assert.equal(job({ ...many, parallelism: 10_000 }).warnings.length, 0)
  })

  test('fills in the condition status that a failure must have', () => {
    const rules = [{ action: 'Count', onPodConditions: [{ type: 'DisruptionTarget' }] }]
    const { podFailurePolicy, podReplacementPolicy } = specOf(job({ podFailurePolicy: { rules } }))
    assert.deepEqual(podFailurePolicy, {
      rules: [{ action: 'Count', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
    })
    assert.equal(podReplacementPolicy, 'Failed')
  })
})

describe('the table of jobs', () => {
  const now = Date.parse('2024-01-01T01:00:00Z')
  const startTime = '2024-01-01T00:58:00Z'
  const row = (status: JsonObject, spec: JsonObject = {}) => {
    const written = job(spec)
    return jobs.row({ ...written, object: { ...written.object, status } }, now)
  }

  test('says how the job is doing', () => {
    assert.equal(row({}).Status, 'Running')
    for (const type of ['Suspended', 'FailureTarget', 'SuccessCriteriaMet', 'Failed', 'Complete'])
      assert.equal(row({ conditions: [{ type, status: 'True' }] }).Status, type)
    const both = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' }))
    assert.equal(row({ conditions: both }).Status, 'Complete')
    assert.equal(row({ conditions: [{ type: 'Failed', status: 'False' }] }).Status, 'Running')
  })

  test('says how much is done, and how long it took', () => {
    assert.deepEqual([row({}).Completions, row({}).Duration], ['0/1', ''])
    assert.equal(row({ succeeded: 2 }, { parallelism: 3 }).Completions, '2/1 of 3')
    assert.equal(row({ succeeded: 1 }, { parallelism: 1 }).Completions, '1/1')
    assert.equal(row({ startTime }).Duration, '2m')
    assert.equal(row({ startTime, completionTime: '2024-01-01T00:58:09Z' }).Duration, '9s')
  })
})

test('jobs leave their pods behind, and can be found by how many succeeded', () => {
  const { deletion, fields } = builtin.type('batch/v1.Job').strategy
  assert.equal(deletion?.orphansDependents, true)
  assert.match(deletion?.warning ?? '', /^child pods are preserved by default/)
  assert.equal(fields?.['status.successful']?.({ status: { succeeded: 3 } } as never), '3')
})
