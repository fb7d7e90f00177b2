import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { setDefaults } from '../../../schema/defaults.js'
import { fieldPath } from '../../../schema/field-path.js'
import { cellsOf } from '../../../schema/table.js'
import { arbitraryObject } from '../../../testing/arbitrary.js'
import { createObject, updateObject } from '../../../testing/object-trial.js'
import { builtin } from '../../scheme.js'
import type { PodSpec } from './pod-spec.js'
import { validateVolumes } from './volume-rules.js'
import { volumeWarnings } from './volume-warnings.js'

const kinds = [
  'core/v1.ConfigMap',
  'core/v1.Secret',
  'core/v1.ServiceAccount',
  'core/v1.PersistentVolume',
  'core/v1.PersistentVolumeClaim',
  'storage/v1.StorageClass',
  'storage/v1.CSIDriver',
  'storage/v1.CSINode',
  'storage/v1.CSIStorageCapacity',
  'storage/v1.VolumeAttachment',
  'storage/v1.VolumeAttributesClass',
]

const runs = { numRuns: 150 }

describe('whatever a client sends', () => {
  for (const name of kinds) {
    const type = builtin.type(name)
    const body = arbitraryObject(type, { depth: 6 })

    test(`as a ${name} is judged, and shown, without a fault`, () => {
      fc.assert(
        fc.property(body, (sent) => {
          const { object } = createObject(name, sent)
          assert.equal(cellsOf(type, object as never, 0).length, type.kind!.resource!.columns.length)
        }),
        runs,
      )
    })

    test(`as a ${name} in place of another is judged without a fault, and the other stays as it was`, () => {
      fc.assert(
        fc.property(body, body, fc.constantFrom(undefined, 'status'), (before, change, subresource) => {
          const { object: old } = createObject(name, before)
          const kept = structuredClone(old)
          updateObject(name, { old, change, ...(subresource && { subresource }) })
          assert.deepEqual(old, kept)
        }),
        runs,
      )
    })

    test(`as a ${name} that did not change is not refused for a change`, () => {
      fc.assert(
        fc.property(body, (sent) => {
          const { object: old, errors } = createObject(name, sent)
          const again = updateObject(name, { old, change: {} }).errors
          assert.deepEqual(
            again.filter((error) => !errors.includes(error)),
            [],
          )
        }),
        runs,
      )
    })
  }

  test('as volumes of a pod is judged without a fault, and filled in once', () => {
    const type = builtin.type('core/v1.Volume')
    fc.assert(
      fc.property(fc.array(arbitraryObject(type, { depth: 6 }), { maxLength: 3 }), (sent) => {
        const drafts = sent.map((volume) => decodedVolume(volume))
        const once = structuredClone(drafts)
        for (const draft of drafts) setDefaults(type, draft)
        assert.deepEqual(drafts, once)
        const spec = { volumes: drafts } as unknown as PodSpec
        validateVolumes(spec, fieldPath('v'), { allowPrivileged: false, podName: 'p' })
        volumeWarnings(spec.volumes, fieldPath('v'))
      }),
      { numRuns: 400 },
    )
  })
})

/** A volume as a pod has it, decoded and filled in. */
function decodedVolume(volume: object): Record<string, unknown> {
  const { object } = createObject('core/v1.Pod', { spec: { containers: [], volumes: [volume] } })
  return (object.spec as { volumes: Record<string, unknown>[] }).volumes[0]!
}
