import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kubectl } from '../testing/kubectl/kubectl.js'
import { comparisonSuite } from './comparison.test.kit.js'
import { skewWarning } from './version.js'

comparisonSuite('our kubectl finds out what a server has, and who one is there, as the original does:', {
  'api-resources and api-versions': (both) =>
    both.sameLines(`
      api-resources
      api-resources -o wide
      api-resources -o name
      api-resources --no-headers
      api-resources --namespaced=false
      api-resources --api-group=apps
      api-resources --api-group=nosuch
      api-resources --verbs=watch,bind -o name
      api-resources --categories=all
      api-resources --sort-by=kind
      api-resources --sort-by=name --cached
      api-resources --sort-by=foo
      api-resources -o json
      api-resources foo
      api-versions
      api-versions foo
    `),
  'cluster-info': async (both, server) => {
    await both.given({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'dns', labels: { 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' } },
      spec: { ports: [{ name: 'dns', port: 53 }] },
    })
    await both.sameLines(`
      cluster-info
      cluster-info foo
      cluster-info -n default
      cluster-info dump -o yaml --namespaces=kube-public
      cluster-info dump -o foo
    `)
    assert.match((await both.ours(['cluster-info'])).stdout, new RegExp(`running at ${server.url}`))
  },
  'auth can-i': (both) =>
    both.sameLines(`
      auth can-i get pods
      auth can-i get pods --as=bob
      auth can-i '*' '*'
      auth can-i get
      auth can-i get pods a b
      auth can-i get nosuch
      auth can-i get nosuch.foo.com
      auth can-i get pods/log
      auth can-i get pods --subresource=log
      auth can-i get /healthz --as bob
      auth can-i foo /healthz
      auth can-i nosuchverb pods
      auth can-i get nodes
      auth can-i get storageclasses
      auth can-i get nodes -A
      auth can-i list deployments.apps/web -q --as=bob
      auth can-i impersonate users
      auth can-i get Pod
      auth can-i --list --as=bob
      auth can-i --list
      auth can-i --list --no-headers --as=bob
      auth can-i --list get
      auth can-i --list -q
      auth can-i get pods --no-headers
      auth can-i get /x --subresource=a
      auth nosuch
    `),
  'auth whoami': (both) =>
    both.sameLines(`
      auth whoami
      auth whoami --as=bob --as-group=g1 --as-group=g2 --as-uid=7
      auth whoami -o json
      auth whoami -o yaml
      auth whoami -o jsonpath={.status.userInfo.username}
      auth whoami -o foo
    `),
  version: async (both) => {
    await both.sameLines(`
      version extra
      version -o foo
    `)
    const { stdout } = await both.ours(['version', '-o', 'json'])
    const real = JSON.parse((await both.real(['version', '-o', 'json'])).stdout) as Versions
    const own = JSON.parse(stdout) as Versions
    assert.deepEqual(own.serverVersion, real.serverVersion)
    assert.deepEqual(Object.keys(own.clientVersion), Object.keys(real.clientVersion))
    assert.match((await both.ours(['version'])).stdout, /^Client Version: v1\.36\.\S+\nServer Version: v1\.36\.\S+\n$/)
    assert.match((await both.ours(['version', '--client'])).stdout, /^Client Version: v1\.36\.\S+\n$/)
  },
  events: async (both, server) => {
    const kubectl = await new Kubectl(server).inNewNamespace('happened')
    await both.sameLines('events -n happened\nevents -n happened --for pod/full')
    await kubectl.create(...occurrences)
    await both.sameLines(`
      events -n happened
      events -n happened --for pod/full
      events -n happened --for deploy/web
      events -n happened --types=Warning
      events -n happened --types=normal
      events -n happened --no-headers
      events -n happened -A --no-headers
      events -n happened -o json
      events -n happened -o yaml
      events -n happened -o jsonpath={.items[*].reason}
      events --for full
      events --for pod/a/b
      events --for nosuch/a
      events --types=foo
      events -o foo
      events -n nosuch
      events -A --for pod/nosuch
    `)
  },
})

interface Versions {
  readonly clientVersion: object
  readonly serverVersion: object
}

const occurrences = [
  { reason: 'BackOff', type: 'Warning', count: 5, lastTimestamp: '2026-01-01T10:30:00Z' },
  { reason: 'Scheduled', lastTimestamp: '2026-01-01T10:20:00Z', message: ' of two\nlines ' },
  { reason: 'Scaled', kind: 'Deployment', apiVersion: 'apps/v1', name: 'web', lastTimestamp: '2026-01-01T10:40:00Z' },
].map(({ kind = 'Pod', apiVersion = 'v1', name = 'full', ...rest }, index) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `event-${index}` },
  involvedObject: { kind, apiVersion, name, namespace: 'happened' },
  ...{ type: 'Normal', message: 'something happened', count: 1, source: { component: 'kubelet' } },
  firstTimestamp: '2026-01-01T10:00:00Z',
  ...rest,
}))

test('a client is warned of a server that is more than one minor version away', () => {
  const at = (gitVersion: string) => ({ gitVersion })
  assert.equal(skewWarning(at('v1.36.4+proa-0.1.0'), at('v1.35.0')), '')
  assert.equal(
    skewWarning(at('v1.36.4'), at('v1.32.4-gke.1')),
    'WARNING: version difference between client (1.36) and server (1.32) exceeds the supported minor version skew of +/-1',
  )
})
