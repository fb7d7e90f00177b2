import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConfigMap } from '../../api/core/v1/config-map.js'
import type { Namespace } from '../../api/core/v1/namespace.js'
import { decide } from './decide.js'

const key = 'kubernetes.io/description'
const data = { 'ca.crt': 'authority' }

function map(options: { data?: Record<string, string>; annotations?: Record<string, string> }): ConfigMap {
  const { annotations = {} } = options
  return {
    metadata: { name: 'kube-root-ca.crt', annotations },
    ...(options.data && { data: options.data }),
  } as ConfigMap
}

function published(known?: ConfigMap, phase = 'Active') {
  const namespace = { metadata: { name: 'shop' }, status: { phase } } as Namespace
  return decide({ namespace, known, authority: 'authority' })
}

describe('the root certificate ConfigMap', () => {
  test('is created where there is none', () => {
    const made = published()
    assert.deepEqual(made?.data, data)
    assert.match(made?.metadata.annotations?.[key] ?? '', /^Contains a CA bundle that can be used to verify/)
  })

  for (const [what, known] of [
    ['holds another certificate', map({ data: { 'ca.crt': 'stranger' }, annotations: { [key]: 'x' } })],
    ['holds more than the certificate', map({ data: { ...data, more: 'x' }, annotations: { [key]: 'x' } })],
    ['is empty', map({ annotations: { [key]: 'x' } })],
    ['has no description', map({ data })],
  ] as const)
    test(`is restored if it ${what}`, () => {
      const made = published(known)
      assert.deepEqual(made?.data, data)
      assert.match(made?.metadata.annotations?.[key] ?? '', /^Contains/)
    })

  test('keeps another description and further annotations', () => {
    assert.equal(published(map({ data, annotations: { [key]: 'ours' } })), undefined)
    assert.equal(published(map({ annotations: { mine: 'yes' } }))?.metadata.annotations?.mine, 'yes')
  })

  test('is not written in a namespace that terminates', () => {
    assert.equal(published(undefined, 'Terminating'), undefined)
  })
})
