import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ParsedCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import { kubeletClientFault, kubeletServingFault } from './kubelet-validation.js'

const none = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] }
const address = Buffer.from([192, 0, 2, 1])
const clientUsages = ['client auth', 'digital signature']
const servingUsages = ['server auth', 'digital signature']

function asked(options: Partial<ParsedCertificateRequest> & { names?: object } = {}): ParsedCertificateRequest {
  const { names, ...rest } = options
  const standard = {
    commonName: 'system:node:a',
    organizations: ['system:nodes'],
    alternativeNames: { ...none, ...names },
  }
  return { ...standard, ...rest } as ParsedCertificateRequest
}

describe('a request for the client certificate of a node', () => {
  for (const [what, request, usages, fault] of [
    ['is accepted', asked(), clientUsages, undefined],
    ['may ask for key encipherment', asked(), [...clientUsages, 'key encipherment'], undefined],
    [
      'must be of the organization system:nodes',
      asked({ organizations: ['dev'] }),
      clientUsages,
      'subject organization is not system:nodes',
    ],
    [
      'must be of no other organization',
      asked({ organizations: ['system:nodes', 'system:masters'] }),
      clientUsages,
      'subject organization is not system:nodes',
    ],
    [
      'must have no DNS name',
      asked({ names: { dnsNames: ['a'] } }),
      clientUsages,
      'DNS subjectAltNames are not allowed',
    ],
    [
      'must have no email address',
      asked({ names: { emailAddresses: ['a@b'] } }),
      clientUsages,
      'Email subjectAltNames are not allowed',
    ],
    [
      'must have no IP address',
      asked({ names: { ipAddresses: [address] } }),
      clientUsages,
      'IP subjectAltNames are not allowed',
    ],
    ['must have no URI', asked({ names: { uris: ['x:y'] } }), clientUsages, 'URI subjectAltNames are not allowed'],
    [
      'must name a node',
      asked({ commonName: 'jane' }),
      clientUsages,
      'subject common name does not begin with system:node:',
    ],
    [
      'must be for client authentication',
      asked(),
      servingUsages,
      'usages did not match [client auth digital signature key encipherment]',
    ],
    [
      'must ask for no other usage',
      asked(),
      [...clientUsages, 'server auth'],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['must ask for usages', asked(), [], 'usages did not match [client auth digital signature key encipherment]'],
  ] as const)
    test(what, () => assert.equal(kubeletClientFault(request, usages), fault))
})

describe('a request for the serving certificate of a node', () => {
  const host = { names: { dnsNames: ['a'] } }
  for (const [what, request, usages, fault] of [
    ['is accepted with a DNS name', asked(host), servingUsages, undefined],
    ['is accepted with an IP address', asked({ names: { ipAddresses: [address] } }), servingUsages, undefined],
    ['may ask for key encipherment', asked(host), [...servingUsages, 'key encipherment'], undefined],
    [
      'must be of the organization system:nodes',
      asked({ ...host, organizations: [] }),
      servingUsages,
      'subject organization is not system:nodes',
    ],
    ['must have a DNS name or an IP address', asked(), servingUsages, 'DNS or IP subjectAltName is required'],
    [
      'must have no email address',
      asked({ names: { dnsNames: ['a'], emailAddresses: ['a@b'] } }),
      servingUsages,
      'Email subjectAltNames are not allowed',
    ],
    [
      'must have no URI',
      asked({ names: { dnsNames: ['a'], uris: ['x:y'] } }),
      servingUsages,
      'URI subjectAltNames are not allowed',
    ],
    [
      'must be for server authentication',
      asked(host),
      clientUsages,
      'usages did not match [digital signature key encipherment server auth]',
    ],
    [
      'must name a node',
      asked({ ...host, commonName: 'jane' }),
      servingUsages,
      'subject common name does not begin with system:node:',
    ],
  ] as const)
    test(what, () => assert.equal(kubeletServingFault(request, usages), fault))
})
