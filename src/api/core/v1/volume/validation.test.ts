import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeValue } from '../../../../schema/decode/decoder.js'
import { setDefaults } from '../../../../schema/defaults.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { builtin } from '../../../scheme.js'
import type { PodSpec } from '../pod/spec.js'
import { validateVolumes } from './validation.js'

function specOf(volumes: readonly object[]): PodSpec {
  const type = builtin.type('core/v1.PodSpec')
  const { object } = decodeValue(type, { containers: [], volumes }, 'Strict')
  setDefaults(type, object)
  return object as unknown as PodSpec
}

const check = (volumes: readonly object[], podName?: string) =>
  validateVolumes(specOf(volumes), fieldPath('v'), { allowPrivileged: false, podName })

/** The errors of one volume of a type, with relative paths. */
function errorsOf(type: string, source: object, podName?: string): readonly string[] {
  return check([{ name: 'x', [type]: source }], podName)
    .errors.map(String)
    .map((error) => error.replace('v[0].', ''))
}

const defaulted = (type: string, source: object) =>
  (specOf([{ name: 'x', [type]: source }]).volumes![0] as unknown as Record<string, unknown>)[type]

describe('defaults of volumes', () => {
  test('an empty volume becomes an emptyDir', () => {
    assert.deepEqual(specOf([{ name: 'x' }]).volumes, [{ name: 'x', emptyDir: {} }])
    assert.deepEqual(specOf([{ name: 'x', hostPath: { path: '/a' } }]).volumes, [
      { name: 'x', hostPath: { path: '/a', type: '' } },
    ])
  })

  test('each type has its defaults', () => {
    assert.deepEqual(defaulted('secret', { secretName: 's' }), { secretName: 's', defaultMode: 0o644 })
    assert.deepEqual(defaulted('configMap', { name: 'c', defaultMode: 0 }), { name: 'c', defaultMode: 0 })
    assert.deepEqual(defaulted('image', { reference: 'r:v1' }), { reference: 'r:v1', pullPolicy: 'IfNotPresent' })
    assert.deepEqual(defaulted('image', { reference: 'r' }), { reference: 'r', pullPolicy: 'Always' })
    assert.deepEqual(defaulted('image', {}), { pullPolicy: 'IfNotPresent' })
  })

  test('sources that this cluster does not serve are dropped', () => {
    const sources = [
      { clusterTrustBundle: { path: 'a', name: 'b' } },
      { podCertificate: { signerName: 's', keyType: 'k' } },
    ]
    assert.deepEqual(defaulted('projected', { sources }), { sources: [{}, {}], defaultMode: 0o644 })
  })
})

describe('volumes of a pod', () => {
  test('have distinct names', () => {
    const { errors, volumes } = check([{ name: 'a' }, { name: 'a' }, { name: '' }, { name: 'a.b' }])
    assert.deepEqual(errors.map(String), [
      'v[1].name: Duplicate value: "a"',
      'v[2].name: Required value',
      'v[3].name: Invalid value: "a.b": must not contain dots',
    ])
    assert.deepEqual([...volumes.keys()], ['a'])
  })

  test('are available to mounts only if they are valid', () => {
    const { volumes } = check([{ name: 'bad', emptyDir: { sizeLimit: '-1' } }, { name: 'good' }])
    assert.deepEqual([...volumes.keys()], ['good'])
  })

  test('have exactly one type', () => {
    const many = {
      name: 'x',
      cephfs: { monitors: ['m'] },
      downwardAPI: {},
      secret: { secretName: 's' },
      csi: { driver: 'd' },
    }
    const surplus = 'Forbidden: may not specify more than 1 volume type'
    assert.deepEqual(check([many]).errors.map(String), [
      `v[0].cephFS: ${surplus}`,
      `v[0].downwarAPI: ${surplus}`,
      `v[0].csi: ${surplus}`,
    ])
  })

  test('do not use the claim of another ephemeral volume', () => {
    const volumes = [
      { name: 'a', ephemeral: { volumeClaimTemplate: claim } },
      { name: 'b', persistentVolumeClaim: { claimName: 'web-a' } },
    ]
    assert.deepEqual(check(volumes, 'web').errors.map(String), [
      'v[1].persistentVolumeClaim.claimName: Invalid value: "web-a": must not reference a PVC that gets created for an ephemeral volume',
    ])
    assert.deepEqual(check(volumes).errors, [])
  })
})

const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }

/** Type, source, errors. */
const cases: readonly [type: string, source: object, ...errors: string[]][] = [
  ['emptyDir', { sizeLimit: '0' }],
  ['emptyDir', { sizeLimit: '-1' }, 'emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity'],
  ['hostPath', {}, 'hostPath.path: Required value'],
  ['hostPath', { path: '/a/../b' }, `hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
  [
    'gitRepo',
    { directory: '/a' },
    'gitRepo.repository: Required value',
    'gitRepo.directory: Invalid value: "/a": must be a relative path',
  ],
  [
    'gcePersistentDisk',
    { partition: 256 },
    'persistentDisk.pdName: Required value',
    'persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ],
  [
    'awsElasticBlockStore',
    { volumeID: 'v', partition: -1 },
    'awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive',
  ],
  [
    'nfs',
    {},
    'nfs.server: Required value',
    'nfs.path: Required value',
    'nfs.path: Invalid value: "": must be an absolute path',
  ],
  ['iscsi', { targetPortal: 'p', iqn: 'iqn.2014-12.world.srv:storage.target01', lun: 255 }],
  [
    'iscsi',
    { lun: 256 },
    'iscsi.targetPortal: Required value',
    'iscsi.iqn: Required value',
    'iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
  ],
  [
    'iscsi',
    { targetPortal: 'p', iqn: 'abc', lun: 0 },
    'iscsi.iqn: Invalid value: "abc": must be valid format starting with iqn, eui, or naa',
  ],
  [
    'iscsi',
    { targetPortal: 'p', iqn: 'iqn.x', lun: 0, chapAuthSession: true, initiatorName: 'eui.1' },
    'iscsi.iqn: Invalid value: "iqn.x": must be valid format',
    'iscsi.secretRef: Required value',
    'iscsi.initiatorname: Invalid value: "eui.1": must be valid format',
  ],
  [
    'iscsi',
    { targetPortal: 'p'.repeat(63), iqn: `naa.${'0'.repeat(32)}`, lun: 0, initiatorName: 'eui.0123456789abcdef' },
    'name: Invalid value: "x": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  ],
  ['glusterfs', {}, 'glusterfs.endpoints: Required value', 'glusterfs.path: Required value'],
  ['flocker', {}, 'flocker: Required value: one of datasetName and datasetUUID is required'],
  [
    'flocker',
    { datasetName: 'a/b', datasetUUID: 'u' },
    'flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
    `flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
  ],
  ['persistentVolumeClaim', {}, 'persistentVolumeClaim.claimName: Required value'],
  ['rbd', {}, 'rbd.monitors: Required value', 'rbd.image: Required value'],
  ['cinder', { secretRef: {} }, 'cinder.volumeID: Required value', 'cinder.secretRef.name: Required value'],
  ['cephfs', {}, 'cephfs.monitors: Required value'],
  ['quobyte', { registry: 'a:1,[::1]:2', volume: 'v' }],
  [
    'quobyte',
    {},
    'quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
    'quobyte.volume: Required value',
  ],
  [
    'quobyte',
    { registry: 'a', volume: 'v' },
    'quobyte.registry: Invalid value: "a": must be a host:port pair or multiple pairs separated by commas',
  ],
  [
    'quobyte',
    { registry: 'a', volume: 'v', tenant: 't'.repeat(65) },
    'quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
  ],
  ['fc', {}, 'fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  [
    'fc',
    { targetWWNs: ['w'], wwids: ['i'] },
    'fc.targetWWNs: Invalid value: ["w"]: targetWWNs and wwids can not be specified simultaneously',
    'fc.lun: Required value: lun is required if targetWWNs is specified',
  ],
  ['fc', { targetWWNs: ['w'], lun: 256 }, 'fc.lun: Invalid value: 256: must be between 0 and 255, inclusive'],
  [
    'flexVolume',
    { options: { 'a.k8s.io/b': '', fine: '' } },
    'flexVolume.driver: Required value',
    'flexVolume.options[a.k8s.io/b]: Invalid value: "a.k8s.io/b": kubernetes.io and k8s.io namespaces are reserved',
  ],
  ['azureFile', {}, 'azureFile.secretName: Required value', 'azureFile.shareName: Required value'],
  ['vsphereVolume', {}, 'vsphereVolume.volumePath: Required value'],
  ['photonPersistentDisk', {}, 'photonPersistentDisk.pdID: Required value'],
  ['portworxVolume', {}, 'portworxVolume.volumeID: Required value'],
  ['azureDisk', { diskName: 'd', diskURI: 'https://x' }],
  [
    'azureDisk',
    { diskURI: 'x', cachingMode: 'Some' },
    'azureDisk.diskName: Required value',
    'azureDisk.cachingMode: Unsupported value: "Some": supported values: "None", "ReadOnly", "ReadWrite"',
    'azureDisk.diskURI: Unsupported value: "x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
  ],
  [
    'azureDisk',
    { diskName: 'd', diskURI: 'https://x', kind: 'Managed' },
    'azureDisk.diskURI: Unsupported value: "https://x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
  ],
  ['storageos', { secretRef: {} }, 'storageos.volumeName: Required value', 'storageos.secretRef.name: Required value'],
  [
    'scaleIO',
    {},
    'scaleIO.gateway: Required value',
    'scaleIO.system: Required value',
    'scaleIO.volumeName: Required value',
  ],
  ['csi', { driver: 'Secrets.CSI' }],
  [
    'csi',
    { driver: 'd'.repeat(64), nodePublishSecretRef: {} },
    'csi.driver: Too long: may not be more than 63 bytes',
    'csi.nodePublishSecretRef.name: Required value',
  ],
  ['ephemeral', {}, 'ephemeral.volumeClaimTemplate: Required value'],
  [
    'ephemeral',
    { volumeClaimTemplate: { ...claim, metadata: { name: 'n', uid: 'u', finalizers: ['a/b'] } } },
    'ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
    'ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set',
    'ephemeral.volumeClaimTemplate.metadata.finalizers: Forbidden: cannot be set',
  ],
  [
    'ephemeral',
    { volumeClaimTemplate: { spec: {} } },
    'ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
    'ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
  ],
  [
    'image',
    { reference: 'r', pullPolicy: 'Sometimes' },
    'image.pullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'secret',
    { items: [{}] },
    'secret.secretName: Required value',
    'secret.items[0].key: Required value',
    'secret.items[0].path: Required value',
  ],
  [
    'configMap',
    { name: 'c', defaultMode: 0o1000, items: [{ key: 'k', path: '..x', mode: -1 }] },
    'configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    `configMap.items[0].path: Invalid value: "..x": must not start with '..'`,
    'configMap.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
  ],
  [
    'downwardAPI',
    {
      items: [
        { path: '../x', fieldRef: { fieldPath: 'metadata.labels' }, resourceFieldRef: { resource: 'limits.cpu' } },
      ],
    },
    `downwardAPI.path: Invalid value: "../x": must not contain '..'`,
    'downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
  ],
  [
    'downwardAPI',
    { items: [{ path: 'a', resourceFieldRef: { containerName: 'c', resource: 'limits.pods' } }] },
    'downwardAPI.resourceFieldRef.resource: Unsupported value: "limits.pods": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
  ],
  [
    'projected',
    { sources: [{ secret: { name: 's' }, configMap: {} }] },
    'projected.sources[0].configMap.name: Required value',
    'projected.sources[0]: Forbidden: may not specify more than 1 volume type per source',
  ],
  [
    'projected',
    { sources: [{ serviceAccountToken: { path: '', expirationSeconds: 2 ** 33 } }] },
    'projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 8589934592: may not specify a duration larger than 2^32 seconds',
    'projected.path: Required value',
  ],
  [
    'projected',
    {
      sources: [
        {
          downwardAPI: {
            items: [
              { path: 'a', fieldRef: { fieldPath: 'metadata.name' } },
              { path: 'a', fieldRef: { fieldPath: 'metadata.uid' } },
            ],
          },
        },
      ],
    },
    'projected: Invalid value: "a": conflicting duplicate paths',
  ],
]

describe('a volume of each type', () => {
  for (const [type, source, ...errors] of cases)
    test(`${type}: ${errors.length === 0 ? 'is good' : errors.join('; ').slice(0, 90)}`, () => {
      assert.deepEqual(errorsOf(type, source), errors)
    })

  test('image: required in a pod, optional in a template', () => {
    assert.deepEqual(errorsOf('image', {}, 'pod'), ['image.reference: Required value'])
    assert.deepEqual(errorsOf('image', {}), [])
  })

  test('ephemeral: its claim is named after the pod and must have a valid name', () => {
    assert.deepEqual(errorsOf('ephemeral', { volumeClaimTemplate: claim }, 'p'.repeat(252)), [
      `name: Invalid value: "x": PVC name "${'p'.repeat(252)}-x": must be no more than 253 characters`,
    ])
  })
})
