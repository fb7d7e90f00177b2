import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '../../base/flags/flags.js'
import { rootAuthority, rootCaFlags } from './root-ca-flags.js'

test('the root certificate is the cluster’s own unless a flag names a file', () => {
  const authorityWith = (...args: string[]) =>
    rootAuthority({
      flags: parseFlags(rootCaFlags, args),
      credentials: { rootAuthority: 'own' },
      readFile: (path) => `content of ${path}`,
    })
  assert.equal(authorityWith(), 'own')
  assert.equal(authorityWith('--root-ca-file=/ca.pem'), 'content of /ca.pem')
})
