import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fieldPath } from '../field-path.js'
import {
  type AddressRule,
  cidr,
  cidrWarnings,
  interfaceAddress,
  ipAddress,
  ipv4Address,
  ipv6Address,
  ipWarnings,
} from './addresses.js'
import { ipFamily, ipText, parseIp } from './ip-address.js'

const path = fieldPath('ip')
const details = (errors: readonly { detail: string }[]) => errors.map((error) => error.detail)
const ip = (value: string, rule: AddressRule) => details(ipAddress(path, value, rule))
const net = (value: string, rule: AddressRule) => details(cidr(path, value, rule))

const noAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const noCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

describe('IP addresses', () => {
  test('are IPv4 or IPv6', () => {
    for (const text of [
      '10.9.8.7',
      '0.0.0.0',
      '255.255.255.255',
      '2001:db8::ffff',
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
    ])
      assert.deepEqual(ip(text, 'canonical'), [], text)
    assert.deepEqual(ip('1:2:3:4:5:6:7::', 'strict'), [])
    assert.deepEqual(ip('2001:DB8::1', 'strict'), [])
    assert.deepEqual(ip('::1.2.3.4', 'strict'), [])
  })

  test('of invalid form are rejected', () => {
    const none = [
      '',
      'x',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '1.2.3.',
      '1..2.3',
      ' 1.2.3.4',
      '1.2.3.4/8',
      '-1.2.3.4',
      '0x1.2.3.4',
    ]
    none.push(
      ':',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4::5:6:7:8',
      '::12345',
      '::g',
      'fe80::1%eth0',
    )
    none.push('1.2.3.4::', '::1.2.3', '::1.2.3.4:5', '1:2:3:4:5:6:7:1.2.3.4', '[::1]', '1:')
    for (const rule of ['sloppy', 'strict', 'canonical'] as const)
      for (const text of none) assert.deepEqual(ip(text, rule), [noAddress], text)
  })

  test('have forms that only old fields take', () => {
    const cases: [text: string, strict: string][] = [
      ['010.002.003.004', 'must not have leading 0s'],
      ['::00001', 'must not have leading 0s'],
      ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
      ['::ffff:102:304', 'must not be an IPv4-mapped IPv6 address'],
    ]
    for (const [text, message] of cases) {
      assert.deepEqual(ip(text, 'sloppy'), [], text)
      assert.deepEqual(ip(text, 'strict'), [message], text)
      assert.deepEqual(ip(text, 'canonical'), [message], text)
    }
  })

  test('have exactly one canonical form', () => {
    const cases: Readonly<Record<string, string>> = {
      '2001:DB8::1': '2001:db8::1',
      '2001:0db8:0:0:0:0:0:1': '2001:db8::1',
      '1:0:0:2:0:0:0:3': '1:0:0:2::3',
      '1:0:2:3:4:5:6:7': '1:0:2:3:4:5:6:7',
      '0:0:1:2:3:4:0:0': '::1:2:3:4:0:0',
    }
    for (const [text, canonical] of Object.entries(cases))
      assert.deepEqual(ip(text, 'canonical'), text === canonical ? [] : [`must be in canonical form ("${canonical}")`])
  })

  test('belong to a family', () => {
    assert.equal(ipFamily('1.2.3.4'), 4)
    assert.equal(ipFamily('::1'), 6)
    assert.equal(ipFamily('::ffff:1.2.3.4'), 4)
    assert.equal(ipFamily('x'), undefined)
    assert.deepEqual(details(ipv4Address(path, '::1')), ['must be a valid IPv4 address'])
    assert.deepEqual(details(ipv6Address(path, '1.2.3.4')), ['must be a valid IPv6 address'])
    assert.deepEqual([...ipv4Address(path, '1.2.3.4'), ...ipv6Address(path, '::1')], [])
  })

  test('are warned of', () => {
    assert.deepEqual(ipWarnings(path, '1.2.3.4'), [])
    assert.deepEqual(ipWarnings(path, 'x'), [])
    assert.deepEqual(ipWarnings(path, '1.2.3.04'), [
      'ip: non-standard IP address "1.2.3.04" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
    ])
    assert.deepEqual(ipWarnings(path, '::ffff:1.2.3.4'), [
      'ip: non-standard IP address "::ffff:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
    ])
    assert.deepEqual(ipWarnings(path, '2001:DB8::1'), [
      'ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ])
  })
})

describe('networks', () => {
  test('are an address and a prefix length', () => {
    for (const text of ['10.0.0.0/8', '0.0.0.0/0', '1.2.3.4/32', '2001:db8::/64', '::/0', '::1/128'])
      assert.deepEqual(net(text, 'canonical'), [], text)
    for (const text of [
      '',
      'x',
      '10.0.0.1',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/a',
      '10.0.0.0/-1',
      '::/129',
      '/8',
      '1.2.3.4/8/8',
    ])
      assert.deepEqual(net(text, 'sloppy'), [noCidr], text)
  })

  test('have forms that only old fields take', () => {
    const cases: [text: string, strict: string][] = [
      ['10.0.0.1/8', 'must not have bits set beyond the prefix length'],
      ['2001:db8::1/64', 'must not have bits set beyond the prefix length'],
      ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
      ['010.0.0.0/8', 'must not have leading 0s in IP or prefix length'],
      ['::ffff:10.0.0.0/104', 'must not have an IPv4-mapped IPv6 address'],
    ]
    for (const [text, message] of cases) {
      assert.deepEqual(net(text, 'sloppy'), [], text)
      assert.deepEqual(net(text, 'strict'), [message], text)
    }
    assert.deepEqual(net('2001:DB8::/64', 'strict'), [])
    assert.deepEqual(net('2001:DB8::/64', 'canonical'), ['must be in canonical form ("2001:db8::/64")'])
  })

  test('are warned of', () => {
    assert.deepEqual(cidrWarnings(path, '10.0.0.0/8'), [])
    assert.deepEqual(cidrWarnings(path, '192.168.1.5/24'), [
      'ip: CIDR value "192.168.1.5/24" is ambiguous in this context (should be "192.168.1.0/24" or "192.168.1.5/32"?)',
    ])
    assert.deepEqual(cidrWarnings(path, '10.0.0.0/08'), [
      'ip: non-standard CIDR value "10.0.0.0/08" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
    ])
    assert.deepEqual(cidrWarnings(path, '2001:DB8::/64'), [
      'ip: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
    ])
  })

  test('of an interface keep all bits of the address', () => {
    assert.deepEqual(interfaceAddress(path, '192.168.1.5/24'), [])
    assert.deepEqual(details(interfaceAddress(path, '::ffff:192.168.0.1/120')), [
      'must be in canonical form ("192.168.0.1/24")',
    ])
    assert.deepEqual(details(interfaceAddress(path, '192.168.1.5')), [
      'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
    ])
  })
})

test('every address that Node accepts is valid, and the canonical form is a fixed point', () =>
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{1,20}$/)), (text) => {
      const address = parseIp(text)
      if (isIP(text)) assert.ok(address, text)
      if (!address) return
      const form = ipText(address)
      assert.ok(isIP(form), form)
      assert.equal(ipText(parseIp(form)!), form)
      assert.deepEqual(parseIp(form)!.bytes, address.bytes)
    }),
  ))
