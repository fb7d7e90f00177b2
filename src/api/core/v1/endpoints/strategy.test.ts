import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorKinds, KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Endpoints } from '../endpoints.js'

const kind = new KindHarness<Endpoints>('core/v1.Endpoints')
const addresses = [{ ip: '10.0.0.1' }]
const ports = [{ port: 80 }]

test('ports of endpoints speak TCP', () => {
  assert.equal(kind.create({ subsets: [{ addresses, ports }] }).object.subsets![0]!.ports![0]!.protocol, 'TCP')
})

test('addresses of endpoints can be targets of traffic', () => {
  assert.deepEqual(kind.create({ subsets: [{ addresses }] }).errors, [])
  assert.deepEqual(kind.create({ subsets: [{ ports }] }).errors, [
    'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
  ])
  assert.deepEqual(
    kind.create({ subsets: [{ notReadyAddresses: [{ ip: '::1' }, { ip: '010.0.0.1' }], addresses: [{ ip: 'x' }] }] })
      .errors,
    [
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'subsets[0].notReadyAddresses[1].ip: Invalid value: "010.0.0.1": must not have leading 0s',
    ],
  )
})

test('names and ports of endpoints are valid', () => {
  const subset = {
    addresses: [{ ip: '10.0.0.1', hostname: 'A', nodeName: 'B' }],
    ports: [
      { port: 0, name: 'A' },
      { port: 1, protocol: 'ICMP', appProtocol: '' },
    ],
  }
  assert.deepEqual(errorKinds(kind.create({ subsets: [subset] }).errors), [
    'subsets[0].addresses[0].hostname: Invalid value',
    'subsets[0].addresses[0].nodeName: Invalid value',
    'subsets[0].ports[0].name: Invalid value',
    'subsets[0].ports[0].port: Invalid value',
    'subsets[0].ports[1].name: Required value',
    'subsets[0].ports[1].protocol: Unsupported value',
    'subsets[0].ports[1].appProtocol: Invalid value',
    'subsets[0].ports[1].appProtocol: Invalid value',
  ])
})

test('existing addresses stay valid', () => {
  const old = kind.create({ subsets: [{ addresses: [{ ip: '010.0.0.1' }] }] }).object
  assert.deepEqual(kind.update(old, { subsets: [{ notReadyAddresses: [{ ip: '010.0.0.1' }] }] }).errors, [])
})

test('addresses that are not canonical get warnings', () => {
  assert.deepEqual(kind.create({ subsets: [{ addresses: [{ ip: 'FD00::1' }] }] }).warnings, [
    'subsets[0].addresses[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
  ])
})

test('the table shows three addresses for each port', () => {
  const cell = (subsets: readonly object[]) => kind.row(kind.create({ subsets }).object).Endpoints
  assert.equal(cell([]), '<none>')
  assert.equal(cell([{ addresses }]), '10.0.0.1')
  assert.equal(
    cell([
      {
        addresses: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    ]),
    '10.0.0.1:80,[fd00::1]:80,10.0.0.1:81 + 1 more...',
  )
  assert.equal(cell([{ notReadyAddresses: addresses, ports }]), '')
})
