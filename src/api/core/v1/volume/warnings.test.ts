import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Volume } from '../volume.js'
import { volumeWarnings } from './warnings.js'

const warningsOf = (...volumes: readonly Volume[]) => volumeWarnings(volumes, fieldPath('volumes'))
const items = (...paths: readonly string[]) => paths.map((path) => ({ key: 'k', path }))

describe('warnings about volumes', () => {
  test('removed types of volumes', () => {
    assert.deepEqual(
      warningsOf(
        { name: 'a', emptyDir: {} },
        { name: 'b', storageos: {} },
        { name: 'c', gitRepo: { repository: 'r' } },
      ),
      [
        'volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+',
        'volumes[2].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      ],
    )
  })

  test('fractions of bytes', () => {
    const spec = { resources: { requests: { storage: '500m' } } }
    assert.deepEqual(warningsOf({ name: 'a', ephemeral: { volumeClaimTemplate: { spec } } }), [
      'volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer',
    ])
  })

  test('files with the same path', () => {
    assert.deepEqual(warningsOf({ name: 'a', configMap: { name: 'm', items: items('x', 'x/y/', 'xy') } }), [
      'volume "a" (ConfigMap "m"): overlapping paths: "x/y" with "x"',
    ])
    assert.deepEqual(warningsOf({ name: 'a', secret: { secretName: 's', items: items('x', 'x') } }), [
      'volume "a" (Secret "s"): overlapping paths: "x" with "x"',
    ])
  })

  test('files of different sources with the same path, each with all earlier ones', () => {
    const sources = [
      { secret: { name: 's', items: items('t') } },
      { configMap: { name: 'm', items: items('t/a') } },
      {},
      { serviceAccountToken: { path: 't' } },
      { downwardAPI: { items: [{ path: 'u' }] } },
    ]
    assert.deepEqual(warningsOf({ name: 'a', projected: { sources } }), [
      'volume "a" (Projected) has no sources provided',
      'volume "a" (Projected): overlapping paths: "t/a" (ConfigMap "m") with "t" (Secret "s")',
      'volume "a" (Projected): overlapping paths: "t" (ServiceAccountToken) with "t" (Secret "s")',
      'volume "a" (Projected): overlapping paths: "t" (ServiceAccountToken) with "t/a" (ConfigMap "m")',
    ])
  })
})
