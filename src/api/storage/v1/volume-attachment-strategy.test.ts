import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../testing/objects/kind-harness.js'

const volumeAttachments = new KindHarness('storage/v1.VolumeAttachment')
const good = { attacher: 'csi.example.com', nodeName: 'n1', source: { persistentVolumeName: 'pv' } }
const create = (spec: object, more: object = {}) => volumeAttachments.create({ spec: { ...good, ...spec }, ...more })
const inline = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } }
const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
const notInline = 'Forbidden: may not be specified in the context of inline volumes'

describe('a volume attachment', () => {
  test('is not yet attached, whatever the client says', () => {
    assert.deepEqual(create({}, { status: { attached: true } }).object.status, { attached: false })
  })

  const cases: readonly [string, object, ...string[]][] = [
    ['no source', {}, `spec.source: Required value: ${exactlyOne}`],
    ['two sources', { persistentVolumeName: 'pv', inlineVolumeSpec: inline }, `spec.source: Forbidden: ${exactlyOne}`],
    ['an inline volume', { inlineVolumeSpec: inline }],
    [
      'an inline volume that would be a persistent one',
      {
        inlineVolumeSpec: {
          ...inline,
          claimRef: {},
          capacity: { storage: '1' },
          persistentVolumeReclaimPolicy: 'Delete',
          nodeAffinity: {},
          storageClassName: 's',
          volumeMode: 'Block',
        },
      },
      `spec.source.inlineVolumeSpec.claimRef: ${notInline}`,
      `spec.source.inlineVolumeSpec.capacity: ${notInline}`,
      'spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes',
      `spec.source.inlineVolumeSpec.nodeAffinity: ${notInline}`,
      `spec.source.inlineVolumeSpec.storageClassName: ${notInline}`,
      'spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes',
    ],
    [
      'an inline volume of another type',
      { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } } },
      'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
    ],
  ]
  for (const [name, source, ...errors] of cases)
    test(`${name}: ${errors.length === 0 ? 'is valid' : 'is rejected'}`, () =>
      assert.deepEqual(create({ source }).errors, errors))

  test('names an attacher and a node', () => {
    const errors = create({ attacher: '', nodeName: '', source: { persistentVolumeName: '' } }).errors
    assert.deepEqual(
      errors.map((error) => error.slice(0, 50)),
      [
        'spec.attacher: Required value',
        'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
        'spec.nodeName: Invalid value: "": a lowercase RFC 1123',
        'spec.attacher: Required value',
        'spec.attacher: Invalid value: "": a lowercase RFC 1123',
        'spec.source.persistentVolumeName: Invalid value: "": a lowercase',
      ].map((error) => error.slice(0, 50)),
    )
  })

  test('never moves', () => {
    const { object: old } = create({})
    assert.deepEqual(volumeAttachments.update(old, replaceFields({ metadata: { labels: { a: 'b' } } })).errors, [])
    assert.deepEqual(volumeAttachments.update(old, replaceFields({ spec: { ...good, nodeName: 'n2' } })).errors, [
      'spec: Invalid value: {"Attacher":"csi.example.com","Source":{"PersistentVolumeName":"pv","InlineVolumeSpec":null},"NodeName":"n2"}: field is immutable',
    ])
  })

  test('shows where it is', () => {
    assert.deepEqual(volumeAttachments.cells(create({}).object as never, 0).slice(1, 5), [
      'csi.example.com',
      'pv',
      'n1',
      false,
    ])
  })
})

describe('the status of a volume attachment', () => {
  const { object: old } = create({}, { metadata: { labels: { kept: 'yes' } } })
  const report = (status: object, metadata: object = {}) =>
    volumeAttachments.update(
      old,
      replaceFields({ status: { attached: true, ...status }, metadata, spec: {} }),
      'status',
    )

  test('is all that it changes', () => {
    const { object, errors } = report({}, { labels: { kept: 'no' }, annotations: { a: 'b' } })
    assert.deepEqual(errors, [])
    assert.deepEqual([object.metadata, object.spec, object.status], [old.metadata, good, { attached: true }])
  })

  test('is not too long', () => {
    const message = 'x'.repeat(1025)
    const status = {
      attachmentMetadata: { a: 'x'.repeat(256 * 1024) },
      attachError: { message },
      detachError: { errorCode: -1 },
    }
    assert.deepEqual(report(status).errors, [
      'status.attachmentMetadata: Too long: may not be more than 262144 bytes',
      'status.attachError.message: Too long: may not be more than 1024 bytes',
      'status.detachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ])
  })
})
