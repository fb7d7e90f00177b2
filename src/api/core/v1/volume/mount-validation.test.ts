import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { PodPartContext } from '../pod/validation-context.js'
import type { Volume } from '../volume.js'
import { type MountingContainer, validateVolumeDevices, validateVolumeMounts } from './mount-validation.js'

const volumes: readonly Volume[] = [
  { name: 'dir', emptyDir: {} },
  { name: 'disk', persistentVolumeClaim: { claimName: 'c' } },
  { name: 'fresh', ephemeral: {} },
  { name: 'image', image: { reference: 'r' } },
]
const context: PodPartContext = {
  allowPrivileged: true,
  spec: { containers: [] },
  volumes: new Map(volumes.map((volume) => [volume.name, volume])),
}
const at = fieldPath('m')
const mount = (name: string, mountPath: string, more: object = {}) => ({ name, mountPath, ...more })
const device = (name: string, devicePath: string) => ({ name, devicePath })

const mountErrors = (mounts: readonly object[], more: object = {}) =>
  validateVolumeMounts({ name: 'c', volumeMounts: mounts, ...more } as MountingContainer, at, context).map(String)
const deviceErrors = (devices: readonly object[], more: object = {}) =>
  validateVolumeDevices({ name: 'c', volumeDevices: devices, ...more } as MountingContainer, at, context).map(String)

describe('a mount', () => {
  test('names a volume and a place of its own', () => {
    assert.deepEqual(mountErrors([mount('dir', '/a'), mount('dir', '/b'), mount('disk', '/c')]), [])
    assert.deepEqual(mountErrors([mount('dir', '/a'), mount('none', '/a'), mount('', '')]), [
      'm[1].name: Not found: "none"',
      'm[1].mountPath: Invalid value: "/a": must be unique',
      'm[2].name: Required value',
      'm[2].name: Not found: ""',
      'm[2].mountPath: Required value',
    ])
  })

  test('is of no volume that is a device, and not where one is', () => {
    assert.deepEqual(mountErrors([mount('disk', '/dev/x')], { volumeDevices: [device('disk', '/dev/x')] }), [
      'm[0].name: Invalid value: "disk": must not already exist in volumeDevices',
      'm[0].mountPath: Invalid value: "/dev/x": must not already exist as a path in volumeDevices',
    ])
  })

  test('shows a part of the volume that is inside of it', () => {
    assert.deepEqual(mountErrors([mount('image', '/a', { subPath: 'a/b' })]), [])
    assert.deepEqual(mountErrors([mount('dir', '/a', { subPath: '/x', subPathExpr: '$(A)/../b' })]), [
      'm.subPath: Invalid value: "/x": must be a relative path',
      'm[0].subPathExpr: Invalid value: "$(A)/../b": subPathExpr and subPath are mutually exclusive',
      `m.subPathExpr: Invalid value: "$(A)/../b": must not contain '..'`,
    ])
  })

  test('reaches the node only from a privileged container', () => {
    const both = [mount('dir', '/a', { mountPropagation: 'Bidirectional' })]
    assert.deepEqual(mountErrors(both, { securityContext: { privileged: true } }), [])
    assert.deepEqual(mountErrors(both), [
      'm.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ])
    assert.deepEqual(mountErrors([mount('dir', '/a', { mountPropagation: '' })]), [
      'm.mountPropagation: Unsupported value: "": supported values: "Bidirectional", "HostToContainer", "None"',
    ])
  })

  test('is read-only all the way down only if it is read-only', () => {
    const recursive = (recursiveReadOnly: string, more: object = {}) =>
      mountErrors([mount('dir', '/a', { recursiveReadOnly, ...more })])
    assert.deepEqual(recursive('Disabled'), [])
    assert.deepEqual(recursive('Enabled', { readOnly: true, mountPropagation: 'None' }), [])
    assert.deepEqual(recursive('IfPossible', { mountPropagation: 'HostToContainer' }), [
      'm.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      'm.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified',
    ])
    assert.deepEqual(recursive('Always', { readOnly: true }), [
      'm.recursiveReadOnly: Unsupported value: "Always": supported values: "Disabled", "Enabled", "IfPossible"',
    ])
  })
})

describe('a device', () => {
  test('is promised by a claim', () => {
    assert.deepEqual(deviceErrors([device('disk', '/dev/a'), device('fresh', '/dev/b')]), [])
    assert.deepEqual(deviceErrors([device('dir', '/dev/a')]), [
      'm[0].name: Invalid value: "dir": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    ])
  })

  test('has a name and a place of its own', () => {
    assert.deepEqual(
      deviceErrors([device('disk', '/a'), device('disk', '/a'), device('', ''), device('none', '/../b')]),
      [
        'm[1].name: Invalid value: "disk": must be unique',
        'm[1].devicePath: Invalid value: "/a": must be unique',
        'm[2].name: Required value',
        'm[2].name: Not found: ""',
        'm[2].devicePath: Required value',
        'm[3].name: Not found: "none"',
        `m[3].devicePath: Invalid value: "/../b": can not contain backsteps ('..')`,
      ],
    )
  })

  test('is not mounted, nor where something is', () => {
    assert.deepEqual(deviceErrors([device('disk', '/a')], { volumeMounts: [mount('disk', '/a')] }), [
      'm[0].name: Invalid value: "disk": must not already exist in volumeMounts',
      'm[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
    ])
  })
})

test('nothing is allocated for containers without volumes', () => {
  assert.equal(validateVolumeMounts({ name: 'c' }, at, context), validateVolumeDevices({ name: 'c' }, at, context))
})
