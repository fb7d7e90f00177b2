import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeValue } from '../../../schema/decode/decoder.js'
import { openGates } from '../../feature-gates.js'
import { builtin, schemeWith } from '../../scheme.js'
import type { InitializerConfiguration } from './initializer-configuration.js'
import { initializerConfigurationStrategy } from './initializer-configuration-strategy.js'

const type = schemeWith(openGates({ Initializers: true })).type(
  'admissionregistration/v1alpha1.InitializerConfiguration',
)

function errors(...initializers: readonly object[]): readonly string[] {
  const { object } = decodeValue(type, { metadata: { name: 'it' }, initializers }, 'Strict')
  const strategy = initializerConfigurationStrategy.strategy as {
    validate(configuration: InitializerConfiguration): Iterable<unknown>
  }
  return [...strategy.validate(object as never)].map(String)
}

function rule(parts: object = {}): object {
  return { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], ...parts }
}

describe('a configuration of initializers', () => {
  test('may be valid', () => {
    assert.deepEqual(errors({ name: 'podimage.example.com', rules: [rule()] }), [])
    assert.deepEqual(errors({ name: 'idle.example.com' }), [])
    assert.deepEqual(errors(), [])
  })

  test('has names of three parts, each once', () => {
    assert.deepEqual(errors({ name: '' }, { name: 'a.b' }, { name: 'a.b.c' }, { name: 'a.b.c' }), [
      'initializers[0].name: Required value',
      'initializers[1].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
      'initializers[3].name: Duplicate value: "a.b.c"',
    ])
  })

  test('has rules that say something, and nothing beside everything', () => {
    const wrong = (parts: object) => errors({ name: 'a.b.c', rules: [rule(parts)] }).join('\n')
    assert.equal(wrong({ apiGroups: [] }), 'initializers[0].rules[0].apiGroups: Required value')
    assert.equal(wrong({ apiVersions: [] }), 'initializers[0].rules[0].apiVersions: Required value')
    assert.equal(wrong({ apiVersions: [''] }), 'initializers[0].rules[0].apiVersions[0]: Required value')
    assert.equal(wrong({ resources: [] }), 'initializers[0].rules[0].resources: Required value')
    assert.equal(wrong({ resources: [''] }), 'initializers[0].rules[0].resources[0]: Required value')
    assert.equal(
      wrong({ apiGroups: ['*', 'apps'] }),
      `initializers[0].rules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other API groups`,
    )
    assert.equal(
      wrong({ apiVersions: ['*', 'v1'] }),
      `initializers[0].rules[0].apiVersions: Invalid value: ["*","v1"]: if '*' is present, must not specify other API versions`,
    )
    assert.equal(
      wrong({ resources: ['*', 'pods'] }),
      `initializers[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources`,
    )
    assert.equal(
      wrong({ resources: ['pods/*'] }),
      'initializers[0].rules[0].resources[0]: Invalid value: "pods/*": must not specify subresources',
    )
  })

  test('does not exist while the feature is off', () => {
    assert.equal(builtin.kind('admissionregistration.k8s.io/v1alpha1', 'InitializerConfiguration'), undefined)
    assert.equal(builtin.type('meta/v1.ObjectMeta').field.has('initializers'), false)
    assert.deepEqual(builtin.groups.find(({ short }) => short === 'admissionregistration')?.served, ['v1'])
  })
})
