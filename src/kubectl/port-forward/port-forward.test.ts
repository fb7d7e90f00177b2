import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { dataFrame, takeFrames } from '../../wire/spdy-frames.js'
import { comparisonSuite, KubectlComparison } from '../comparison.test.kit.js'

const ports = [
  { name: 'web', containerPort: 8080, protocol: 'TCP' },
  { name: 'dns', containerPort: 53, protocol: 'UDP' },
]

function pod(name: string, phase: string, labels = {}) {
  const spec = { nodeName: 'none', containers: [{ name: 'main', image: 'web', ports }] }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec, status: { phase } }
}

function service(name: string, spec: object) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec }
}

comparisonSuite('kubectl port-forward', {
  'what makes no sense is refused before anything is sent': async (both) => {
    await both.sameLines(`
      port-forward
      port-forward web
      port-forward pod/web
      port-forward web 80 --pod-running-timeout=0s
      port-forward web 80 --pod-running-timeout=-3s
      port-forward nothing 80
      port-forward nosuchtype/web 80
    `)
  },

  'ports that a pod does not have, or that are none': async (both) => {
    await both.givenPods(pod('p', 'Running'), pod('late', 'Pending'))
    await both.sameLines(`
      port-forward p http
      port-forward p 8080:http
      port-forward p 8080:
      port-forward p :
      port-forward p dns
      port-forward p 53
      port-forward p 5353:53
      port-forward p 1:2:3
      port-forward p a:80
      port-forward p 70000
      port-forward p 80:70000
      port-forward p 0
      port-forward p 80:0
      port-forward p -- -1
      port-forward p 80 --address=nonsense
      port-forward p 80 --address=localhost,10.0.0
      port-forward p 80 --address=
      port-forward late 80
    `)
  },

  'what stands for pods, and what does not': async (both) => {
    await both.givenPods(pod('p', 'Running', { app: 'p' }))
    const selector = { app: 'p' }
    const all = [
      { name: 'http', port: 80, targetPort: 'web' },
      { name: 'far', port: 81, targetPort: 'nosuchport' },
      { name: 'names', port: 53, protocol: 'UDP' },
    ]
    await both.given(
      service('s', { selector, ports: all }) as never,
      service('nobody', { ports: [{ port: 80 }] }) as never,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' } },
    )
    await both.sameLines(`
      port-forward svc/s 82
      port-forward svc/s https
      port-forward svc/s far
      port-forward svc/s names
      port-forward svc/s 53
      port-forward svc/nobody 80
      port-forward configmap/map 80
      port-forward svc/s http --address=nonsense
    `)
    await both.given(service('alone', { selector: { app: 'none' }, ports: [{ port: 80 }] }) as never)
    await both.same(['port-forward', 'svc/alone', '80', '--pod-running-timeout=100ms'])
  },

  'a node that is not there, and what one may not do': async (both) => {
    await both.givenPods(pod('p', 'Running'))
    await both.sameLines(`
      port-forward p 8080
      port-forward p 8080 --as=eve
    `)
    for (const namespace of both.namespaces) {
      const rules = ['--verb=get', '--resource=pods']
      await both.real([`--namespace=${namespace}`, 'create', 'role', 'looker', ...rules])
      await both.real([`--namespace=${namespace}`, 'create', 'rolebinding', 'looker', '--role=looker', '--user=eve'])
    }
    const { stderr } = await both.same(['port-forward', 'p', '8080', '--as=eve'])
    assert.match(stderr, /^error: error upgrading connection: pods "p" is forbidden: User "eve" cannot create/)
  },
})

/** A server that only supports SPDY, with one pod whose ports echo their input. */
async function startOldServer() {
  const answers: Readonly<Record<string, unknown>> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', groups: [] },
    '/api/v1': {
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'] }],
    },
  }
  const server = createHttpServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path] ?? pod('p', 'Running')))
  })
  server.on('upgrade', (request, socket: Duplex) => {
    if (request.headers.upgrade !== 'SPDY/3.1') {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n')
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      rest = takeFrames(Buffer.concat([rest, bytes]), (frame) => {
        if (frame.is === 'data') socket.write(dataFrame(frame.streamId, frame.payload, frame.flags))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

test('port-forward speaks SPDY to a server that knows no other way', async () => {
  const server = await startOldServer()
  const both = new KubectlComparison({ kubeconfig: '/nonexistent' }, 'x')
  try {
    const interrupt = new AbortController()
    const said = new EventEmitter()
    const heard = (words: string) => said.emit('said', Number(/:(\d+) ->/.exec(words)?.[1]))
    const forwarded = once(said, 'said')
    const running = both.ours([`--server=${server.url}`, 'port-forward', 'p', ':80', '--address=127.0.0.1'], {
      interrupt: interrupt.signal,
      heard,
    })
    const [port] = await forwarded
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('back and forth')
    assert.equal(await text(socket), 'back and forth')
    interrupt.abort()
    const { code, stdout, stderr } = await running
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^Forwarding from 127\.0\.0\.1:(\d+) -> 80\nHandling connection for \1\n$/)
  } finally {
    both.close()
    server.close()
  }
})
