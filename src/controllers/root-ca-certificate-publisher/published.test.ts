import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConfigMap } from '../../api/core/v1/config-map.js'
import { published } from './published.js'

const key = 'kubernetes.io/description'
const data = { 'ca.crt': 'authority' }

function map(parts: { data?: Record<string, string>; annotations?: Record<string, string> }): ConfigMap {
  const { annotations = {} } = parts
  return { metadata: { name: 'kube-root-ca.crt', annotations }, ...(parts.data && { data: parts.data }) } as ConfigMap
}

describe('by whom the API server is known', () => {
  test('is said where nothing is said', () => {
    const made = published(undefined, 'authority')
    assert.deepEqual(made?.data, data)
    assert.match(made?.metadata.annotations?.[key] ?? '', /^Contains a CA bundle that can be used to verify/)
  })

  for (const [what, known] of [
    ['where somebody else is named', map({ data: { 'ca.crt': 'stranger' }, annotations: { [key]: 'x' } })],
    ['where more is said', map({ data: { ...data, more: 'x' }, annotations: { [key]: 'x' } })],
    ['where nothing is left', map({ annotations: { [key]: 'x' } })],
    ['where it is not described', map({ data })],
  ] as const)
    test(`is put right ${what}`, () => {
      const made = published(known, 'authority')
      assert.deepEqual(made?.data, data)
      assert.match(made?.metadata.annotations?.[key] ?? '', /^Contains/)
    })

  test('may be described in other words, and has further annotations', () => {
    assert.equal(published(map({ data, annotations: { [key]: 'ours' } }), 'authority'), undefined)
    const made = published(map({ annotations: { mine: 'yes' } }), 'authority')
    assert.equal(made?.metadata.annotations?.mine, 'yes')
  })
})
