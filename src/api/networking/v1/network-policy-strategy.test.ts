import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'
import type { NetworkPolicy } from './network-policy.js'

const kind = new KindHarness<NetworkPolicy>('networking/v1.NetworkPolicy')
const block = (ipBlock: object) => ({ ingress: [{ from: [{ ipBlock }] }] })
const port = (one: object) => ({ egress: [{ ports: [one] }] })

test('a policy is about what comes in, and about what goes out if it says so', () => {
  const types = (spec: object) => kind.create({ spec }).object.spec.policyTypes
  assert.deepEqual(types({}), ['Ingress'])
  assert.deepEqual(types({ egress: [{}] }), ['Ingress', 'Egress'])
  assert.deepEqual(types({ egress: [{}], policyTypes: ['Egress'] }), ['Egress'])
  assert.equal(kind.create({ spec: port({ port: 80 }) }).object.spec.egress![0]!.ports![0]!.protocol, 'TCP')
})

describe('policies that are rejected', () => {
  const cidr = 'spec.ingress[0].from[0].ipBlock.cidr'
  const except = 'spec.ingress[0].from[0].ipBlock.except[0]'
  const cases: readonly (readonly [title: string, spec: object, ...errors: readonly string[]])[] = [
    ['for a network that is none', block({ cidr: '' }), `${cidr}: Required value`],
    [
      'for a network that is half an address',
      block({ cidr: '10.0.0.1/8' }),
      `${cidr}: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
    ],
    [
      'for an exception that is the rule',
      block({ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }),
      `${except}: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
    ],
    [
      'for an exception from elsewhere',
      block({ cidr: '10.0.0.0/8', except: ['fd00::/64'] }),
      `${except}: Invalid value: "fd00::/64": must be a strict subset of \`cidr\``,
    ],
    ['not for an exception', block({ cidr: 'fd00::/8', except: ['fd12::/16'] })],
    [
      'for ports in the wrong order',
      port({ port: 90, endPort: 80 }),
      'spec.egress[0].ports[0].endPort: Invalid value: 90: must be greater than or equal to `port`',
    ],
    [
      'for ports out of range',
      port({ port: 90, endPort: 70000 }),
      'spec.egress[0].ports[0].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      'for too many types',
      { policyTypes: ['Ingress', 'Egress', 'Ingress'] },
      'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
    ],
    [
      'for selectors',
      {
        podSelector: { matchLabels: { a: '!' } },
        egress: [{ to: [{ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }] }],
      },
      `spec.podSelector.matchLabels: Invalid value: "!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      'spec.egress[0].to[0].namespaceSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    ],
  ]
  for (const [title, spec, ...errors] of cases)
    test(title, () => assert.deepEqual(kind.create({ spec }).errors, errors))
})

test('networks that were let through once are let through again, wherever they stand', () => {
  const old = kind.create({ spec: block({ cidr: '010.0.0.0/8', except: ['10.1.0.1/16'] }) }).object
  assert.deepEqual(
    kind.update(old, { spec: { ingress: null, egress: [{ to: [{ ipBlock: { cidr: '010.0.0.0/8' } }] }] } }).errors,
    [],
  )
  assert.equal(kind.update(old, { spec: block({ cidr: '011.0.0.0/8' }) }).errors.length, 1)
})

test('networks that are not written plainly get warnings', () => {
  const made = kind.create({
    spec: { egress: [{ to: [{ ipBlock: { cidr: 'FD00::/8', except: ['fd00:0::/64'] } }] }] },
  })
  assert.deepEqual(made.warnings, [
    'spec.egress[0].to[0].ipBlock.cidr: IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")',
    'spec.egress[0].to[0].ipBlock.except[0]: IPv6 CIDR value "fd00:0::/64" should be in RFC 5952 canonical format ("fd00::/64")',
  ])
})

test('the table shows which pods are meant', () => {
  assert.equal(kind.row(kind.create({ spec: {} }).object)['Pod-Selector'], '<none>')
  assert.equal(
    kind.row(kind.create({ spec: { podSelector: { matchLabels: { a: 'b' } } } }).object)['Pod-Selector'],
    'a=b',
  )
})
