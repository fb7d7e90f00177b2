import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import { kubeletClientFault, kubeletServingFault } from './kubelet-rules.js'

const none = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] }
const address = Buffer.from([192, 0, 2, 1])
const clientUsages = ['client auth', 'digital signature']
const servingUsages = ['server auth', 'digital signature']

function asked(parts: Partial<CertificateRequest> & { names?: object } = {}): CertificateRequest {
  const { names, ...rest } = parts
  const standard = {
    commonName: 'system:node:a',
    organizations: ['system:nodes'],
    alternativeNames: { ...none, ...names },
  }
  return { ...standard, ...rest } as CertificateRequest
}

describe('a request for the client certificate of a node', () => {
  for (const [what, request, usages, fault] of [
    ['is fine as it is', asked(), clientUsages, undefined],
    ['may encipher keys', asked(), [...clientUsages, 'key encipherment'], undefined],
    ['is of nodes', asked({ organizations: ['dev'] }), clientUsages, 'subject organization is not system:nodes'],
    [
      'is of nodes alone',
      asked({ organizations: ['system:nodes', 'system:masters'] }),
      clientUsages,
      'subject organization is not system:nodes',
    ],
    ['has no host', asked({ names: { dnsNames: ['a'] } }), clientUsages, 'DNS subjectAltNames are not allowed'],
    [
      'has no mail',
      asked({ names: { emailAddresses: ['a@b'] } }),
      clientUsages,
      'Email subjectAltNames are not allowed',
    ],
    [
      'has no address',
      asked({ names: { ipAddresses: [address] } }),
      clientUsages,
      'IP subjectAltNames are not allowed',
    ],
    ['has no URI', asked({ names: { uris: ['x:y'] } }), clientUsages, 'URI subjectAltNames are not allowed'],
    [
      'names a node',
      asked({ commonName: 'jane' }),
      clientUsages,
      'subject common name does not begin with system:node:',
    ],
    [
      'is for a client',
      asked(),
      servingUsages,
      'usages did not match [client auth digital signature key encipherment]',
    ],
    [
      'is for nothing else',
      asked(),
      [...clientUsages, 'server auth'],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['is for something', asked(), [], 'usages did not match [client auth digital signature key encipherment]'],
  ] as const)
    test(what, () => assert.equal(kubeletClientFault(request, usages), fault))
})

describe('a request for the serving certificate of a node', () => {
  const host = { names: { dnsNames: ['a'] } }
  for (const [what, request, usages, fault] of [
    ['is fine with a host', asked(host), servingUsages, undefined],
    ['is fine with an address', asked({ names: { ipAddresses: [address] } }), servingUsages, undefined],
    ['may encipher keys', asked(host), [...servingUsages, 'key encipherment'], undefined],
    ['is of nodes', asked({ ...host, organizations: [] }), servingUsages, 'subject organization is not system:nodes'],
    ['says where the node is', asked(), servingUsages, 'DNS or IP subjectAltName is required'],
    [
      'has no mail',
      asked({ names: { dnsNames: ['a'], emailAddresses: ['a@b'] } }),
      servingUsages,
      'Email subjectAltNames are not allowed',
    ],
    [
      'has no URI',
      asked({ names: { dnsNames: ['a'], uris: ['x:y'] } }),
      servingUsages,
      'URI subjectAltNames are not allowed',
    ],
    [
      'is for a server',
      asked(host),
      clientUsages,
      'usages did not match [digital signature key encipherment server auth]',
    ],
    [
      'names a node',
      asked({ ...host, commonName: 'jane' }),
      servingUsages,
      'subject common name does not begin with system:node:',
    ],
  ] as const)
    test(what, () => assert.equal(kubeletServingFault(request, usages), fault))
})
