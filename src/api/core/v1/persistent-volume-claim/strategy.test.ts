import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../../testing/objects/kind-harness.js'

const persistentVolumeClaims = new KindHarness('core/v1.PersistentVolumeClaim')
const storage = (amount: string) => ({ resources: { requests: { storage: amount } } })
const good = { accessModes: ['ReadWriteOnce'], ...storage('10Gi') }
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
const populator = { apiGroup: 'example.com', kind: 'Populator', name: 'p' }

const create = (spec: object, more: object = {}) =>
  persistentVolumeClaims.create({ spec: { ...good, ...spec }, ...more })
const errorsOf = (spec: object) => create(spec).errors
const specOf = (spec: object) => create(spec).object.spec as Record<string, unknown>

interface Change {
  readonly before?: object
  readonly status?: object
  readonly metadata?: object
}

function change(after: object, { before = {}, status = {}, metadata = {} }: Change = {}, newMetadata = metadata) {
  const { object } = create(before, { metadata })
  const old = { ...object, status }
  return persistentVolumeClaims.update(
    old,
    replaceFields({ spec: { ...(object.spec as object), ...after }, metadata: newMetadata }),
  ).errors
}

const bound = { phase: 'Bound', capacity: { storage: '10Gi' } }
const immutable =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

describe('a new claim', () => {
  const cases: readonly [string, object, ...string[]][] = [
    [
      'nothing',
      { accessModes: [], resources: {} },
      'spec.accessModes: Required value: at least 1 access mode is required',
      'spec.resources[storage]: Required value',
    ],
    ['no storage', storage('0'), 'spec.resources[storage]: Invalid value: "0": must be greater than zero'],
    [
      'a mode',
      { accessModes: ['Write'] },
      'spec.accessModes: Unsupported value: "Write": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
    ['no class', { storageClassName: '', volumeAttributesClassName: '' }],
    [
      'a group',
      { dataSourceRef: { ...populator, apiGroup: 'Bad' } },
      ...both('apiGroup: Invalid value: "Bad": a lowercase RFC 1123 subdomain must'),
    ],
    [
      'a nameless source',
      { dataSourceRef: { kind: '', name: '' } },
      ...both('name: Required value', 'kind: Required value', ': Invalid value: "": must be'),
    ],
    [
      'two sources',
      { dataSource: snapshot, dataSourceRef: populator },
      'spec: Invalid value: {}: must match dataSourceRef',
    ],
  ]
  function both(...errors: readonly string[]): string[] {
    const at = (name: string) =>
      errors.map((error) => (error.startsWith(':') ? `spec.${name}${error}` : `spec.${name}.${error}`))
    return [...at('dataSource'), ...at('dataSourceRef')]
  }
  for (const [name, spec, ...errors] of cases)
    test(`${name}: ${errors.length === 0 ? 'is valid' : 'is rejected'}`, () => {
      const found = errorsOf(spec)
      assert.deepEqual(
        found.map((error, i) => error.slice(0, errors[i]?.length)),
        errors,
      )
    })

  test('is Pending, whatever the client sent', () => {
    assert.deepEqual(create({}, { status: { phase: 'Bound' } }).object.status, { phase: 'Pending' })
  })

  test('has its data source in both fields', () => {
    assert.deepEqual(specOf({ dataSource: snapshot }).dataSourceRef, snapshot)
    assert.deepEqual(specOf({ dataSourceRef: populator }).dataSource, populator)
  })

  test('loses a data source that the older field never took, and one from another namespace', () => {
    assert.equal(specOf({ dataSource: populator }).dataSource, undefined)
    assert.equal(specOf({ dataSource: { kind: 'Pod', name: 'p' } }).dataSource, undefined)
    assert.equal(specOf({ dataSourceRef: { ...populator, namespace: 'other' } }).dataSourceRef, undefined)
    assert.deepEqual(specOf({ dataSource: { kind: 'PersistentVolumeClaim', name: 'c' } }).dataSourceRef, {
      apiGroup: null,
      kind: 'PersistentVolumeClaim',
      name: 'c',
    })
  })

  test('warns about half a byte, and of the annotation for its class', () => {
    const metadata = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'c' } }
    assert.deepEqual(
      create({ resources: { requests: { storage: '1500m' }, limits: { storage: '1m' } } }, { metadata }).warnings,
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
        'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
        'spec.resources.limits[storage]: fractional byte value "1m" is invalid, must be an integer',
      ],
    )
  })
})

describe('a claim that changes', () => {
  test('gets its volume name once', () => {
    assert.deepEqual(change({ volumeName: 'pv' }), [])
    assert.deepEqual(change({ volumeName: 'other' }, { before: { volumeName: 'pv' } }), [immutable])
  })

  test('has an immutable spec', () => {
    assert.deepEqual(change({ accessModes: ['ReadWriteMany'] }, { status: bound }), [immutable])
    assert.deepEqual(change({ volumeMode: 'Block' }), [
      immutable,
      'volumeMode: Invalid value: "Block": field is immutable',
    ])
  })

  test('can grow if it is bound', () => {
    assert.deepEqual(change(storage('20Gi'), { status: bound }), [])
    assert.deepEqual(change(storage('20Gi')), [immutable])
    assert.deepEqual(change(storage('10737418240'), {}), [])
  })

  test('can shrink to more than its capacity', () => {
    const less = 'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'
    const before = storage('30Gi')
    assert.deepEqual(change(storage('20Gi'), { before, status: bound }), [])
    assert.deepEqual(change(storage('10Gi'), { before, status: bound }), [less])
  })

  test('can get a class later, unless an annotation has another', () => {
    const key = 'volume.beta.kubernetes.io/storage-class'
    const annotated = { annotations: { [key]: 'gold' } }
    assert.deepEqual(change({ storageClassName: 'gold' }), [])
    assert.deepEqual(change({ storageClassName: 'gold' }, { before: { storageClassName: '' } }), [immutable])
    assert.deepEqual(change({ storageClassName: 'gold' }, { metadata: annotated }, {}), [])
    assert.deepEqual(change({ storageClassName: 'tin' }, { metadata: annotated }), [immutable])
    assert.deepEqual(change({}, { metadata: annotated }, {}), [
      `metadata.annotations.${key}: Invalid value: "": field is immutable`,
    ])
  })

  test('can change its attributes class if it is bound, but not lose it', () => {
    const before = { volumeAttributesClassName: 'gold' }
    const applied = { ...bound, currentVolumeAttributesClassName: 'gold' }
    const taken = (shown: string) =>
      `spec.volumeAttributesClassName: Forbidden: update to ${shown} is forbidden when status.currentVolumeAttributesClassName is not nil`
    assert.deepEqual(change({ volumeAttributesClassName: 'silver' }, { before, status: applied }), [])
    assert.deepEqual(change({ volumeAttributesClassName: 'silver' }, { before }), [immutable])
    assert.deepEqual(change({ volumeAttributesClassName: null }, { before, status: applied }), [taken('nil')])
    assert.deepEqual(change({ volumeAttributesClassName: '' }, { before, status: applied }), [taken('empty string')])
    assert.deepEqual(change({ volumeAttributesClassName: null }, { before, status: bound }), [])
  })

  test('reports its errors twice', () => {
    const error = 'spec.resources[storage]: Required value'
    assert.deepEqual(change({ resources: {} }).slice(0, 2), [error, error])
  })
})

describe('the status of a claim', () => {
  const { object: old } = create({})
  const report = (status: object) => persistentVolumeClaims.update(old, replaceFields({ status }), 'status').errors

  test('has valid quantities', () => {
    assert.deepEqual(
      report({ capacity: { storage: '1Gi' }, allocatedResources: { storage: '2Gi', 'example.com/x': '1' } }),
      [],
    )
    assert.deepEqual(report({ capacity: { storage: '-1' }, allocatedResources: { cpu: '1', storage: '-2' } }), [
      'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
      'status.allocatedResources[storage]: Invalid value: -2: must be a valid resource quantity',
    ])
  })

  test('has valid resize statuses', () => {
    assert.deepEqual(report({ allocatedResourceStatuses: { storage: 'NodeResizePending' } }), [])
    assert.deepEqual(report({ allocatedResourceStatuses: { memory: 'Soon' } }), [
      'status.allocatedResourceStatus: Unsupported value: "memory": supported values: "storage"',
      'status.allocatedResourceStatus: Unsupported value: "memory": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
    ])
  })
})

test('the row of a claim', () => {
  const row = (spec: object, more: object = {}) => {
    const { object } = create(spec)
    return persistentVolumeClaims.cells({ ...object, ...more } as never).slice(1)
  }
  const age = '60s'
  assert.deepEqual(row({ storageClassName: 'c' }), ['Pending', '', '', '', 'c', '<unset>', age, 'Filesystem'])
  const status = { phase: 'Bound', accessModes: ['ReadWriteOncePod'], capacity: { storage: '1Gi' } }
  assert.deepEqual(row({ volumeName: 'pv', volumeAttributesClassName: 'a' }, { status }), [
    'Bound',
    'pv',
    '1Gi',
    'RWOP',
    '',
    'a',
    age,
    'Filesystem',
  ])
  assert.equal(row({}, { metadata: { deletionTimestamp: 'now' } })[0], 'Terminating')
})
