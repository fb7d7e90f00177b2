import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { ClusterRoleBinding } from '../../api/rbac/v1/cluster-role-binding.js'
import { createClientCertificate, createTestAuthority } from '../../testing/servers/https-server.js'
import { nodeAttributes } from './authorization.js'
import { KubeletServerHarness, nodeName } from './kubelet-server.test.kit.js'

interface Answer {
  readonly code: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

describe('the API of a kubelet', () => {
  let harness: KubeletServerHarness
  let admin: { readonly cert: string; readonly key: string }

  before(async () => {
    const tokens = ['watcher-token,watcher,watcher', 'nobody-token,nobody,nobody']
    harness = await KubeletServerHarness.start({ tokens })
    const pki = (name: string) => readFileSync(join(dirname(harness.api.kubeconfig), 'pki', name), 'utf8')
    admin = { cert: pki('apiserver-kubelet-client.crt'), key: pki('apiserver-kubelet-client.key') }
    const rules = [{ apiGroups: [''], resources: ['nodes/metrics', 'nodes/pods'], verbs: ['get'] }]
    const metadata = { name: 'watcher' }
    await harness.client.resource(ClusterRole).create({ metadata, rules })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'watcher' }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'watcher' }]
    await harness.client.resource(ClusterRoleBinding).create({ metadata, roleRef, subjects } as never)
  })
  after(() => harness.close())

  const ask = (path: string, options: RequestOptions = admin): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const place = { host: '127.0.0.1', port: harness.kubelet.port, ca: harness.certificate, agent: false as const }
      const sent = request({ ...place, path, ...options }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ code: response.statusCode!, text, headers: response.headers }))
      })
      sent.on('error', reject)
      sent.end()
    })
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('denies unauthenticated requests', async () => {
    const stranger = createClientCertificate(createTestAuthority('another'), { organizations: ['system:masters'] })
    for (const who of [{}, bearer('wrong'), stranger]) {
      const { code, text } = await ask('/pods', who)
      assert.deepEqual([code, text], [401, 'Unauthorized'])
    }
  })

  test('closes connections whose upgrade it denies', { timeout: 10_000 }, async () => {
    for (const path of ['/exec/default/p/main', '/%zz']) {
      const place = { host: '127.0.0.1', port: harness.kubelet.port, ca: harness.certificate, allowHalfOpen: true }
      const socket = connect(place).on('error', () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
      const closed = new Promise((resolve) => socket.resume().once('close', resolve))
      const talking = setInterval(() => socket.write('more'), 10) // so that the event arrives
      await closed
      clearInterval(talking)
    }
  })

  test('accepts a client certificate of the cluster, or a token that the API server knows', async () => {
    assert.equal((await ask('/healthz')).text, 'ok')
    assert.equal((await ask('/healthz', bearer(harness.api.token))).text, 'ok')
  })

  test('authorizes by subresources of the Node, and reports what is denied', async () => {
    assert.equal((await ask('/metrics', bearer('watcher-token'))).code, 200)
    assert.equal((await ask('/pods', bearer('watcher-token'))).code, 200)
    const words = (user: string, list: string) =>
      `Forbidden (user=${user}, verb=get, resource=nodes, subresource(s)=${list})\n`
    const { code, text } = await ask('/configz', bearer('watcher-token'))
    assert.deepEqual([code, text], [403, words('watcher', '[configz proxy]')])
    assert.equal((await ask('/metrics', bearer('nobody-token'))).text, words('nobody', '[metrics]'))
  })

  test("reviews upstream's subresources for each path", () => {
    const subresources = (path: string) => nodeAttributes('GET', path).subresources.join()
    assert.deepEqual(
      ['/pods', '/podsy', '/runningpods/', '/stats/summary', '/metrics/probes', '/logs/', '/exec/a/b/c'].map(
        subresources,
      ),
      ['pods,proxy', 'proxy', 'pods,proxy', 'stats', 'metrics', 'log', 'proxy'],
    )
    assert.deepEqual(nodeAttributes('POST', '/run/a/b/c').verb, 'create')
  })

  test('lists desired and running pods', async () => {
    const pod = await harness.pod('told', { containers: [{ name: 'main', image: 'web' }] })
    await harness.runtime.pullImage({ image: { image: 'web' } })
    await harness.run(pod)
    const { items, kind } = JSON.parse((await ask('/pods')).text)
    const told = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'told')
    assert.deepEqual([kind, told.kind, told.spec.nodeName], ['PodList', undefined, nodeName])
    const running = JSON.parse((await ask('/runningpods/')).text).items
    const one = running.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'told')
    assert.deepEqual(one.spec.containers, [{ name: 'main', image: 'web', resources: {} }])
  })

  test('serves metrics, probe metrics and its configuration', async () => {
    harness.probeMetrics.counter({ name: 'prober_probe_total', help: 'Probes' }).inc()
    harness.environment.metrics.counter({ name: 'kubelet_something_total', help: 'Something' }).inc()
    assert.match((await ask('/metrics')).text, /kubelet_something_total 1/)
    assert.match((await ask('/metrics/probes')).text, /prober_probe_total 1/)
    assert.doesNotMatch((await ask('/metrics')).text, /prober_probe_total/)
    assert.deepEqual(JSON.parse((await ask('/configz')).text), { kubeletconfig: { port: 10_250 } })
  })

  test('reports paths that it does not serve', async () => {
    assert.deepEqual((await ask('/nowhere')).code, 404)
    const { code, text } = await ask('/metrics/cadvisor')
    assert.deepEqual(
      [code, text],
      [404, '/metrics/cadvisor is not served: this kubelet keeps no statistics of containers'],
    )
    const posted = await ask('/pods', { ...admin, method: 'POST' })
    assert.deepEqual([posted.code, posted.headers.allow], [405, 'GET'])
    assert.equal((await ask('/exec/default/told/main?command=ls&output=1')).text, 'Upgrade request required')
  })

  test('reports its health by check', async () => {
    assert.equal((await ask('/healthz?verbose')).text, '[+]ping ok\n[+]log ok\nhealthz check passed\n')
    assert.equal((await ask('/healthz/ping')).text, 'ok')
    assert.equal((await ask('/healthz/none')).code, 404)
  })

  test('serves logs, and reports why there are none', async () => {
    const simulation = { 'simulation.proa.dev/main': '{ output: [{ text: hello }, { text: oops, stream: stderr }] }' }
    const pod = await harness.pod('logged', { containers: [{ name: 'main', image: 'web' }] }, simulation)
    const path = '/containerLogs/default/logged/main'
    const state = (state: object, lastState = {}) => ({ containerStatuses: [{ name: 'main', state, lastState }] })
    const refused = async (status: object, query = '') => {
      harness.setStatus(pod, status)
      const { code, text } = await ask(`${path}${query}`)
      assert.equal(code, 400)
      return text
    }
    const whose = 'container "main" in pod "logged"'
    assert.equal(await refused({}), `${whose} is not available`)
    for (const [reason, words] of [
      ['ContainerCreating', 'ContainerCreating'],
      ['ErrImagePull', "image can't be pulled"],
      ['ImagePullBackOff', 'trying and failing to pull image'],
    ])
      assert.equal(await refused(state({ waiting: { reason } })), `${whose} is waiting to start: ${words}`)
    assert.equal(await refused(state({ terminated: {} })), `${whose} is terminated`)
    const [id] = await harness.run(pod)
    assert.equal((await ask(path)).text, 'hello\noops\n')
    assert.equal((await ask(`${path}?stream=Stderr`)).text, 'oops\n')
    assert.equal(await refused(state({ running: {} }), '?previous=true'), `previous terminated ${whose} not found`)
    harness.setStatus(
      pod,
      state({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated: { containerID: `test://${id}` } }),
    )
    assert.equal((await ask(`${path}?previous=true&tailLines=1`)).text, 'oops\n')
    assert.equal((await ask(path)).text, 'hello\noops\n')
    harness.setStatus(pod, state({ terminated: { containerID: 'test://gone' } }))
    assert.equal((await ask(path)).text, 'unable to retrieve container logs for test://gone')
    assert.deepEqual(
      [(await ask('/containerLogs/default/none/main')).text, (await ask('/containerLogs/default/logged/other')).text],
      ['pod "none" does not exist', 'container "other" not found in pod "logged"'],
    )
    assert.equal((await ask(`${path}?tailLines=-1`)).code, 422)
  })

  test('runs a command to its end', async () => {
    const simulation = {
      'simulation.proa.dev/main': '{ exec: [{ command: "ls /", stdout: "bin\\n" }, { exitCode: 2 }] }',
    }
    const pod = await harness.pod('ran', { containers: [{ name: 'main', image: 'web' }] }, simulation)
    await harness.run(pod)
    const post = (path: string) => ask(path, { ...admin, method: 'POST' })
    assert.equal((await post('/run/default/ran/main?cmd=ls%20/')).text, 'bin\n')
    assert.deepEqual((await post('/run/default/ran/main?cmd=no')).text, "command 'no' exited with 2: ")
    assert.equal((await post('/run/default/ran/other?cmd=ls')).text, 'container not found ("other")')
    assert.equal((await post(`/run/default/ran/another-uid/main?cmd=ls`)).code, 500)
  })
})

test('accepts anonymous requests if it is configured so', async (context) => {
  const harness = await KubeletServerHarness.start({ options: { anonymous: true, authorization: 'AlwaysAllow' } })
  context.after(() => harness.close())
  const place = {
    host: '127.0.0.1',
    port: harness.kubelet.port,
    ca: harness.certificate,
    path: '/healthz',
    agent: false as const,
  }
  const code = await new Promise((resolve) => request(place, ({ statusCode }) => resolve(statusCode)).end())
  assert.equal(code, 200)
})
