import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '../../../../schema/infer.js'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { IPFamily, Service } from '../service.js'
import { chooseFamilies } from './ip-families.js'

const services = new KindHarness<Service>('core/v1.Service')
const ports = [{ port: 80 }]

function chosen(spec: object, available: readonly IPFamily[] = ['IPv4'], old?: Service): readonly unknown[] {
  const draft = { ...services.create({ spec: { ports, selector: { a: 'b' }, ...spec } }).object } as Draft<Service>
  const errors = chooseFamilies(draft, old, available).map(String)
  const { ipFamilyPolicy, ipFamilies, clusterIPs } = draft.spec
  return errors.length > 0 ? errors : [ipFamilyPolicy, ipFamilies, ...(clusterIPs ? [clusterIPs] : [])]
}

const both: readonly IPFamily[] = ['IPv6', 'IPv4']

describe('families of addresses', () => {
  test('are those of the cluster, and one unless asked', () => {
    assert.deepEqual(chosen({}), ['SingleStack', ['IPv4']])
    assert.deepEqual(chosen({}, both), ['SingleStack', ['IPv6']])
    assert.deepEqual(chosen({ type: 'ExternalName', externalName: 'a' }), [undefined, undefined])
    assert.deepEqual(chosen({ ipFamilyPolicy: 'PreferDualStack' }), ['PreferDualStack', ['IPv4']])
    assert.deepEqual(chosen({ ipFamilyPolicy: 'PreferDualStack' }, both), ['PreferDualStack', ['IPv6', 'IPv4']])
    assert.deepEqual(chosen({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4'] }, both), [
      'RequireDualStack',
      ['IPv4', 'IPv6'],
    ])
  })

  test('are any where nobody knows what is behind', () => {
    assert.deepEqual(chosen({ clusterIP: 'None', selector: {} }), ['RequireDualStack', ['IPv4', 'IPv6'], ['None']])
    assert.deepEqual(chosen({ clusterIP: 'None' }), ['SingleStack', ['IPv4'], ['None']])
  })

  test('are told by the addresses', () => {
    assert.deepEqual(chosen({ clusterIP: '10.0.0.1' }, both), ['SingleStack', ['IPv4'], ['10.0.0.1']])
    assert.deepEqual(chosen({ clusterIP: 'fd00::1' }), [
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ])
    assert.deepEqual(chosen({ clusterIP: 'x' }), [
      'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ])
  })

  test('are rejected if the cluster has them not', () => {
    assert.deepEqual(chosen({ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }), [
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ])
    assert.deepEqual(chosen({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] }, both), [
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
    ])
  })
})

describe('families of a service that changes', () => {
  const two = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'] }
  const old = services.create({ spec: { ports, ...two, ipFamilyPolicy: 'PreferDualStack' } }).object

  test('stay as they are, even when the cluster gains one', () => {
    const one = { clusterIP: '10.0.0.1', ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' }
    assert.deepEqual(chosen(one, ['IPv4', 'IPv6'], services.create({ spec: { ports, ...one } }).object), [
      'PreferDualStack',
      ['IPv4'],
      ['10.0.0.1'],
    ])
  })

  test('follow the policy', () => {
    assert.deepEqual(chosen(two, both, old), ['PreferDualStack', ['IPv4', 'IPv6'], ['10.0.0.1', 'fd00::1']])
    assert.deepEqual(chosen({ ...two, ipFamilyPolicy: 'SingleStack' }, both, old), [
      'SingleStack',
      ['IPv4'],
      ['10.0.0.1'],
    ])
    assert.deepEqual(chosen({ clusterIP: '10.0.0.1', ipFamilies: ['IPv4'] }, both, old), [
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary cluster IP`,
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary IP family`,
    ])
  })
})
