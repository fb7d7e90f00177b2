import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { harnessTime, KindHarness, replaceFields } from '../../../../testing/objects/kind-harness.js'

const persistentVolumes = new KindHarness('core/v1.PersistentVolume')
const good = { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'] }
const local = { path: '/mnt/disk' }
const nodes = (key: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
})
const csi = { driver: 'csi.example.com', volumeHandle: 'h' }

const create = (spec: object, metadata: object = { name: 'pv' }) =>
  persistentVolumes.create({ metadata, spec: { ...good, ...spec } })
const errorsOf = (spec: object) => create(spec).errors
function change(before: object, after: object): readonly string[] {
  const { object: old } = create(before)
  return persistentVolumes.update(old, replaceFields({ spec: { ...(old.spec as object), ...after } })).errors
}

describe('a new persistent volume', () => {
  test('is Pending, whatever the client sent', () => {
    const { object } = persistentVolumes.create({
      spec: { ...good, hostPath: { path: '/a' } },
      status: { phase: 'Bound' },
    })
    assert.deepEqual(object.status, { phase: 'Pending', lastPhaseTransitionTime: harnessTime })
    assert.deepEqual(object.spec, {
      ...good,
      hostPath: { path: '/a', type: '' },
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    })
  })

  const cases: readonly [string, object, ...string[]][] = [
    [
      'nothing',
      { capacity: null, accessModes: null },
      'spec.accessModes: Required value',
      'spec.capacity: Required value',
      'spec.capacity: Unsupported value: null: supported values: "storage"',
      'spec: Required value: must specify a volume type',
    ],
    [
      'no storage',
      { capacity: { storage: '0' }, hostPath: { path: '/a' } },
      'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
    ],
    [
      'less than none',
      { capacity: { storage: '-1' }, hostPath: { path: '/a' } },
      'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
      'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
    ],
    [
      'one pod and more',
      { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'], hostPath: { path: '/a' } },
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ],
    [
      'wiping the node',
      { hostPath: { path: '/.//' }, persistentVolumeReclaimPolicy: 'Recycle' },
      `spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'`,
    ],
    ['a disk of no node', { local }, 'spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ['a disk of a node', { local, nodeAffinity: nodes('kubernetes.io/hostname') }],
    [
      'no nodes',
      { local, nodeAffinity: {} },
      'spec.nodeAffinity.required: Required value: must specify required node constraints',
    ],
    [
      'no terms',
      { local, nodeAffinity: { required: {} } },
      'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
    [
      'a second type',
      { nfs: { server: 's', path: '/' }, cephfs: { monitors: ['m'] } },
      'spec.cephFS: Forbidden: may not specify more than 1 volume type',
    ],
    ['flex beside another', { nfs: { server: 's', path: '/' }, flexVolume: { driver: 'd' } }],
    [
      'glusterfs',
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
    ],
    [
      'azureFile',
      { azureFile: { secretName: 's', shareName: 's', secretNamespace: '' } },
      'spec.azureFile.secretNamespace: Required value',
    ],
    [
      'cinder',
      { cinder: { volumeID: 'v', secretRef: {} } },
      'spec.cinder.secretRef.name: Required value',
      'spec.cinder.secretRef.namespace: Required value',
    ],
    [
      'iscsi',
      { iscsi: { targetPortal: 'p', iqn: 'x', lun: 0, secretRef: {}, initiatorName: 'y' } },
      'spec.iscsi.iqn: Invalid value: "x": must be valid format',
      'spec.iscsi.secretRef.name: Required value',
      'spec.iscsi.initiatorname: Invalid value: "y": must be valid format',
    ],
    [
      'iscsi with a long name',
      { iscsi: { targetPortal: 'p'.repeat(62), iqn: 'iqn.2014-12.a:b', lun: 0, initiatorName: 'iqn.2014-12.a:b' } },
      `spec.iscsi.targetportal: Invalid value: "${'p'.repeat(62)}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ],
    [
      'csi',
      { csi: { driver: 'd', volumeHandle: '', nodeExpandSecretRef: { namespace: 'A.b' } } },
      'spec.csi.volumeHandle: Required value',
      'spec.csi.nodeExpandSecretRef.name: Required value',
      "spec.csi.nodeExpandSecretRef.namespace: Invalid value: \"A.b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
    [
      'storageos',
      { storageos: { volumeName: 'v', secretRef: { name: 's' } } },
      'spec.storageos.secretRef.namespace: Required value',
    ],
    [
      'no mode',
      { csi, volumeMode: 'Tape' },
      'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    ],
    [
      'attributes',
      { hostPath: { path: '/a' }, volumeAttributesClassName: '' },
      'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
      'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
    ],
  ]
  for (const [name, spec, ...errors] of cases)
    test(`${name}: ${errors.length === 0 ? 'is valid' : 'is rejected'}`, () => assert.deepEqual(errorsOf(spec), errors))

  test('accepts the annotation for mount options only for old drivers', () => {
    const annotations = { 'volume.beta.kubernetes.io/mount-options': 'ro' }
    assert.deepEqual(create({ nfs: { server: 's', path: '/' } }, { name: 'pv', annotations }).errors, [])
    assert.deepEqual(create({ hostPath: { path: '/a' } }, { name: 'pv', annotations }).errors, [
      'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
    ])
  })

  test('warns about removed drivers', () => {
    const annotations = { 'volume.beta.kubernetes.io/storage-class': 'c' }
    const spec = {
      rbd: { monitors: ['m'], image: 'i' },
      persistentVolumeReclaimPolicy: 'Recycle',
      nodeAffinity: nodes('beta.kubernetes.io/os'),
    }
    assert.deepEqual(create(spec, { name: 'pv', annotations }).warnings, [
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
    ])
  })
})

describe('a persistent volume that changes', () => {
  test('may be bound, grow, and change its reclaim policy', () => {
    const after = {
      claimRef: { name: 'c' },
      capacity: { storage: '9Gi' },
      persistentVolumeReclaimPolicy: 'Delete',
      mountOptions: ['ro'],
      storageClassName: 's',
    }
    assert.deepEqual(change({ hostPath: { path: '/a' } }, after), [])
  })

  test('keeps its source', () => {
    const moved = 'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation'
    assert.deepEqual(change({ hostPath: { path: '/a' } }, { hostPath: { path: '/b' } }), [moved])
    assert.deepEqual(change({ csi }, { csi: { ...csi, volumeHandle: 'other' } }), [moved])
  })

  test('may get a secret for expansion once', () => {
    const first = { ...csi, controllerExpandSecretRef: { name: 'a', namespace: 'n' } }
    const second = { ...csi, controllerExpandSecretRef: { name: 'b', namespace: 'n' } }
    assert.deepEqual(change({ csi }, { csi: first }), [])
    assert.equal(change({ csi: first }, { csi: second }).length, 1)
    assert.equal(change({ csi: first }, { csi }).length, 1)
  })

  test('keeps its mode', () => {
    assert.deepEqual(change({ csi }, { volumeMode: 'Block' }), [
      'volumeMode: Invalid value: "Block": field is immutable',
    ])
  })

  test('gets its node affinity once, and may only replace deprecated labels', () => {
    const before = { csi, nodeAffinity: nodes('failure-domain.beta.kubernetes.io/zone') }
    assert.deepEqual(change({ csi }, { nodeAffinity: nodes('zone') }), [])
    assert.deepEqual(change(before, { nodeAffinity: nodes('topology.kubernetes.io/zone') }), [])
    assert.deepEqual(change(before, { nodeAffinity: nodes('zone') }), [
      'nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"zone","Operator":"In","Values":["a"]}],"MatchFields":null}]}}: field is immutable',
    ])
    assert.deepEqual(change(before, { nodeAffinity: null }), ['nodeAffinity: Invalid value: null: field is immutable'])
  })

  test('cannot lose its attributes class', () => {
    assert.deepEqual(change({ csi, volumeAttributesClassName: 'gold' }, { volumeAttributesClassName: 'silver' }), [])
    assert.deepEqual(change({ csi, volumeAttributesClassName: 'gold' }, { volumeAttributesClassName: null }), [
      'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
    ])
  })

  test('reports its errors twice', () => {
    const error = 'spec.accessModes: Required value'
    assert.deepEqual(change({ csi }, { accessModes: [] }), [error, error])
  })
})

describe('the status of a persistent volume', () => {
  const { object } = create({ hostPath: { path: '/a' } })
  const old = { ...object, status: { phase: 'Pending', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' } }
  const report = (status: object) => persistentVolumes.update(old, replaceFields({ status, spec: {} }), 'status').object

  test('sets the time of a phase change only', () => {
    assert.deepEqual(report({ phase: 'Bound' }).status, { phase: 'Bound', lastPhaseTransitionTime: harnessTime })
    assert.deepEqual(report({ phase: 'Pending' }).status, { phase: 'Pending' })
    assert.deepEqual(report({ phase: 'Bound' }).spec, object.spec)
  })

  test('keeps a time that the client sent', () => {
    const status = { phase: 'Released', lastPhaseTransitionTime: '2021-01-01T00:00:00Z' }
    assert.deepEqual(report(status).status, status)
  })
})

test('the row of a persistent volume', () => {
  const { object } = create({
    csi,
    accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
    claimRef: { namespace: 'n', name: 'c' },
  })
  const row = (more: object) => persistentVolumes.cells({ ...object, ...more } as never).slice(1)
  const age = '60s'
  assert.deepEqual(row({}), ['5Gi', 'RWO,RWX', 'Retain', 'Pending', 'n/c', '', '<unset>', '', age, 'Filesystem'])
  const metadata = { deletionTimestamp: harnessTime, annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } }
  assert.deepEqual(row({ metadata, status: { phase: 'Failed', reason: 'Broken' } }).slice(3, 8), [
    'Terminating',
    'n/c',
    'old',
    '<unset>',
    'Broken',
  ])
})
