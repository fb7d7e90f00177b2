import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import { testPod } from '../pod.test.kit.js'
import { kernelHostname, podHostname } from './hostname.js'

const domain = 'cluster.local'

describe('the hostname of a pod', () => {
  const table: readonly (readonly [what: string, spec: Partial<PodSpec>, kernel: string, domain: string])[] = [
    ['its own name', {}, 'web', ''],
    ['its hostname', { hostname: 'me' }, 'me', ''],
    ['within a subdomain', { hostname: 'me', subdomain: 'sub' }, 'me', 'sub.shop.svc.cluster.local'],
    [
      'all of it, where it wants that',
      { hostname: 'h', subdomain: 's', setHostnameAsFQDN: true },
      'h.s.shop.svc.cluster.local',
      's.shop.svc.cluster.local',
    ],
    ['all of it, without a subdomain', { hostname: 'h', setHostnameAsFQDN: true }, 'h', ''],
    ['anything, if it says so', { hostname: 'h', subdomain: 's', hostnameOverride: 'a.b.c' }, 'a.b.c', ''],
  ]
  for (const [what, spec, kernel, domainName] of table)
    test(what, () => {
      const pod = testPod(spec)
      const hostname = podHostname(pod, domain)
      assert.equal(hostname.domain, domainName)
      assert.equal(kernelHostname(pod, hostname), kernel)
    })

  test('is cut to 63 characters without a final dash', () => {
    assert.equal(podHostname(testPod({}, { name: 'a'.repeat(70) }), domain).name, 'a'.repeat(63))
    assert.equal(podHostname(testPod({}, { name: `${'a'.repeat(61)}--b` }), domain).name, 'a'.repeat(61))
  })

  test('an FQDN that is too long for the kernel is rejected', () => {
    const pod = testPod({ hostname: 'h'.repeat(50), subdomain: 's', setHostnameAsFQDN: true })
    const full = `${'h'.repeat(50)}.s.shop.svc.cluster.local`
    assert.throws(() => kernelHostname(pod, podHostname(pod, domain)), {
      message: `failed to construct FQDN from pod hostname and cluster domain, FQDN ${full} is too long (64 characters is the max, ${full.length} characters requested)`,
    })
  })

  test('invalid names are rejected', () => {
    const refused = (spec: Partial<PodSpec>, message: RegExp) =>
      assert.throws(() => podHostname(testPod(spec), domain), { message })
    refused({ hostname: 'A_b' }, /^pod Hostname "A_b" is not a valid DNS label: a lowercase RFC 1123 label must/)
    refused({ subdomain: 'a.b' }, /^pod Subdomain "a\.b" is not a valid DNS label: /)
    refused({ hostnameOverride: 'A' }, /^pod HostnameOverride "A" is not a valid DNS subdomain: /)
  })
})
