import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isProxyable, proxyPort } from './target.js'

describe('an address', () => {
  const nowhere = [
    ...['0.0.0.0', '127.0.0.1', '127.8.8.8', '169.254.169.254', '224.0.0.1', '239.1.1.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'ff02::1',
      'ff0e::1',
      '::ffff:127.0.0.1',
      '::ffff:169.254.0.1',
      '',
      'localhost',
      '1@127.0.0.1',
    ],
  ]
  for (const address of nowhere)
    test(`${address || '(none)'} is not forwarded to`, () => assert.equal(isProxyable(address), false))
  for (const address of [
    '10.0.0.7',
    '192.0.2.2',
    '223.255.255.255',
    '240.0.0.1',
    'fd00::7',
    '2001:db8::1',
    '::ffff:10.0.0.7',
  ])
    test(`${address} may be a pod`, () => assert.equal(isProxyable(address), true))
})

describe('a port', () => {
  test('is a number', () => assert.equal(proxyPort('8080'), 8080))
  const others = {
    web: /error trying to reach service: dial tcp: lookup tcp\/web: unknown port/,
    '1@127.0.0.1': /unknown port/,
    '80/x': /unknown port/,
    '-1': /unknown port/,
    '99999': /dial tcp: address 99999: invalid port/,
  }
  for (const [text, message] of Object.entries(others))
    test(`is not ${text}`, () => assert.throws(() => proxyPort(text), { message, code: 503 }))
})
