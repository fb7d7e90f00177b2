import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { environment } from '../base/environment.js'
import { parseFlags, UsageError } from '../base/flags/flags.js'
import { issue } from '../wire/x509/certificate.js'
import type { Credential } from '../wire/x509/issuer.js'
import { loopFlags, loopOptions, type OwnCredentials } from './loop-flags.js'

const surroundings = environment()
const notAfter = surroundings.clock.now() + 86_400_000
const authority = issue({ commonName: 'a', use: 'authority', notAfter }, surroundings)
const other = issue({ commonName: 'b', use: 'authority', notAfter }, surroundings)

const options = (args: readonly string[], own: OwnCredentials = {}) => loopOptions(parseFlags(loopFlags, args), own)

function filesFor(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'proa-flags-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
}

function pair(file: (name: string, content: string) => string, { cert, key }: Credential, prefix = 'cluster-signing') {
  return [`--${prefix}-cert-file=${file(`${prefix}.crt`, cert)}`, `--${prefix}-key-file=${file(`${prefix}.key`, key)}`]
}

describe('the flags of the control loops', () => {
  test('reach the loops', () => {
    const given = options([
      '--concurrent-gc-syncs=7',
      '--node-eviction-rate=.5',
      '--node-monitor-grace-period=1m',
      '--cluster-cidr=10.1.0.0/16',
      '--service-cluster-ip-range=10.2.0.0/16',
      '--node-cidr-mask-size-ipv4=26',
      '--legacy-service-account-token-clean-up-period=1h',
    ])
    assert.equal(given.concurrentGcSyncs, 7)
    assert.equal(given.nodeLifecycle?.evictionRate, 0.5)
    assert.equal(given.nodeLifecycle?.grace, 60_000)
    assert.equal(given.clusterCidr, '10.1.0.0/16')
    assert.equal(given.serviceClusterIpRange, '10.2.0.0/16')
    assert.equal(given.nodeCidrMaskSizeIpv4, 26)
    assert.equal(given.nodeCidrMaskSize, undefined)
    assert.equal(given.legacyTokenCleanUpPeriod, 3_600_000)
  })

  test('that are not given are as upstream has them', () => {
    const { concurrentGcSyncs, terminatedPodGcThreshold, nodeLifecycle, allocateNodeCidrs, ...rest } = options([])
    assert.deepEqual([concurrentGcSyncs, terminatedPodGcThreshold, allocateNodeCidrs], [20, 12_500, false])
    assert.equal(nodeLifecycle?.unhealthyThreshold, 0.55)
    for (const name of ['signing', 'serviceAccountKey', 'rootAuthority', 'clusterCidr'])
      assert.ok(!(name in rest), name)
  })

  test('must be numbers where numbers are wanted', () => {
    for (const bad of ['--node-eviction-rate=often', '--node-eviction-rate=-1', '--concurrent-gc-syncs=0'])
      assert.throws(() => options([bad]), UsageError, bad)
  })
})

describe('the keys of the control loops', () => {
  const own = { rootAuthority: 'root', serviceAccountKey: 'key', signing: () => authority }

  test('are the cluster’s own unless flags name others', (context) => {
    const file = filesFor(context)
    assert.equal(options([], own).rootAuthority, 'root')
    assert.equal(options([`--root-ca-file=${file('ca', 'theirs')}`], own).rootAuthority, 'theirs')
    assert.equal(options([], own).serviceAccountKey, 'key')
    const given = options([`--service-account-private-key-file=${file('sa', 'theirs')}`], own)
    assert.equal(given.serviceAccountKey, 'theirs')
    const signer = options([], own).signing?.authorities['kubernetes.io/kubelet-serving']
    assert.deepEqual(signer?.(), authority)
    assert.equal(options([], { signing: () => undefined }).signing, undefined)
  })

  test('sign for all signers, and new files count at once', (context) => {
    const file = filesFor(context)
    const { authorities, duration } = options([...pair(file, authority), '--cluster-signing-duration=2h'], own).signing!
    assert.equal(duration, 7_200_000)
    assert.equal(Object.keys(authorities).length, 4)
    pair(file, other)
    assert.deepEqual(authorities['kubernetes.io/legacy-unknown']?.(), other)
  })

  test('sign for single signers, and then for no others', (context) => {
    const file = filesFor(context)
    const { authorities } = options(pair(file, other, 'cluster-signing-kubelet-client'), own).signing!
    assert.deepEqual(Object.keys(authorities), ['kubernetes.io/kube-apiserver-client-kubelet'])
    assert.deepEqual(authorities['kubernetes.io/kube-apiserver-client-kubelet']?.(), other)
  })

  test('are refused where they do not fit', (context) => {
    const file = filesFor(context)
    const [cert] = pair(file, authority) as [string, string]
    assert.throws(
      () => options([cert]),
      /--cluster-signing-cert-file and --cluster-signing-key-file must be given together/,
    )
    const both = [...pair(file, authority), ...pair(file, other, 'cluster-signing-kubelet-serving')]
    assert.throws(() => options(both), /cannot be used with the files of single signers/)
    const mixed = pair(file, { cert: authority.cert, key: other.key })
    assert.throws(() => options(mixed), /is not the key of the certificate/)
  })
})
