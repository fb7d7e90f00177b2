import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../base/clock.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { testAuthority, testServerCertificate } from '../../testing/servers/https-server.js'
import { cluster, node, pod } from '../plugins/plugins.test.kit.js'
import { httpExtender } from './http-extender.js'
import { httpExtenderTransport } from './http-transport.js'
import type { ExtenderSettings } from './settings.js'

type Body = Readonly<Record<string, unknown>>
type Respond = (path: string, body: Body) => unknown

/** Serves an extender until the test ends. */
async function serve(context: TestContext, listener: RequestListener, isSecure = false): Promise<string> {
  const server = isSecure ? createHttpsServer(testServerCertificate, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/api`
}

const responding =
  (respond: Respond) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await request.toArray()).toString()
    response.end(JSON.stringify(respond(request.url!, JSON.parse(text))))
  }

function extenderAt(urlPrefix: string, more: Partial<ExtenderSettings> = {}, clock = systemClock) {
  const settings: ExtenderSettings = {
    urlPrefix,
    filterVerb: 'filter',
    prioritizeVerb: 'prioritize',
    preemptVerb: 'preempt',
    bindVerb: 'bind',
    weight: 2,
    timeout: 5_000,
    nodeCacheCapable: false,
    managedResources: [],
    isIgnorable: false,
    ...more,
  }
  const { timeout, tls } = settings
  return httpExtender(settings, httpExtenderTransport({ clock, timeout, ...(tls && { tls }) }))
}

const { nodes } = cluster(node('a'), node('b', { pods: [pod('x'), pod('y')] }), node('c'))
const web = pod('web')

describe('an extender filters', () => {
  test('nodes as objects, or as names if it caches nodes', async (context) => {
    const requests: [string, Body][] = []
    const url = await serve(
      context,
      responding((path, body) => {
        requests.push([path, body])
        return body.Nodes
          ? {
              Nodes: { items: [{ metadata: { name: 'b' } }] },
              FailedNodes: { a: 'too loud' },
              FailedAndUnresolvableNodes: { c: 'too old' },
            }
          : { NodeNames: ['a', 'c'], FailedNodes: { b: 'busy' } }
      }),
    )
    const { nodes: passed, rejectedNodes, rejections } = await extenderAt(url).filter!(web, nodes)
    assert.deepEqual(
      passed.map(({ name }) => name),
      ['b'],
    )
    assert.deepEqual(
      rejectedNodes.map(({ name }, i) => [name, rejections[i]]),
      [
        ['a', { plugin: url, reasons: ['too loud'], isResolvable: true }],
        ['c', { plugin: url, reasons: ['too old'], isResolvable: false }],
      ],
    )
    const cached = await extenderAt(url, { nodeCacheCapable: true }).filter!(web, nodes)
    assert.deepEqual(
      cached.nodes.map(({ name }) => name),
      ['a', 'c'],
    )
    assert.deepEqual(
      requests.map(([path]) => path),
      ['/api/filter', '/api/filter'],
    )
    const [[, first], [, second]] = requests as [[string, Body], [string, Body]]
    assert.equal((first.Pod as { readonly metadata: { readonly name: string } }).metadata.name, 'web')
    assert.equal((first.Nodes as { readonly items: readonly unknown[] }).items.length, 3)
    assert.equal(first.NodeNames, null)
    assert.deepEqual([second.Nodes, second.NodeNames], [null, ['a', 'b', 'c']])
  })

  test('with field names in any case', async (context) => {
    const url = await serve(
      context,
      responding(() => ({ nodenames: ['a'], failedNodes: { b: 'no' } })),
    )
    const { nodes: passed, rejectedNodes } = await extenderAt(url).filter!(web, nodes)
    assert.deepEqual([passed[0]!.name, rejectedNodes[0]!.name], ['a', 'b'])
  })

  const invalid: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'an error': [{ Error: 'out of order' }, /^Error: extender http.*: out of order$/],
    'nodes that were not in the request': [{ NodeNames: ['z'] }, /it names node "z", which was not in the request/],
    'a name of the wrong type': [{ NodeNames: [7] }, /NodeNames is no text/],
    'a map of the wrong type': [{ NodeNames: [], FailedNodes: 'all' }, /FailedNodes is no map/],
  }
  for (const [title, [body, message]] of Object.entries(invalid))
    test(`and its response is rejected if it has ${title}`, async (context) => {
      const url = await serve(
        context,
        responding(() => body),
      )
      await assert.rejects(extenderAt(url).filter!(web, nodes), message)
    })
})

describe('an extender scores nodes', () => {
  test('from 0 to 10, multiplied by its weight', async (context) => {
    const url = await serve(
      context,
      responding(() => [
        { Host: 'c', Score: 10 },
        { host: 'a', score: 3 },
      ]),
    )
    assert.deepEqual([...(await extenderAt(url).prioritize!(web, nodes))], [60, 0, 200])
  })

  test('and a score of the wrong type is rejected', async (context) => {
    const url = await serve(
      context,
      responding(() => [{ Host: 'c', Score: 'much' }]),
    )
    await assert.rejects(extenderAt(url).prioritize!(web, nodes), /Score is no number/)
  })
})

describe('an extender selects victims', () => {
  const b = nodes[1]!
  const candidates = [{ node: b, victims: b.pods, violations: 1 }]

  test('among those of the request, by uid', async (context) => {
    const requests: Body[] = []
    const url = await serve(
      context,
      responding((_, body) => {
        requests.push(body)
        return { NodeNameToMetaVictims: { b: { Pods: [{ UID: 'default/y' }], NumPDBViolations: 0 } } }
      }),
    )
    const [left] = await extenderAt(url).preempt!(web, candidates)
    assert.deepEqual([left!.victims.map(({ key }) => key), left!.violations], [['default/y'], 0])
    const victims = (requests[0]!.NodeNameToVictims as Readonly<Record<string, { readonly Pods: readonly object[] }>>).b
    assert.equal(victims!.Pods.length, 2)
    await extenderAt(url, { nodeCacheCapable: true }).preempt!(web, candidates)
    assert.deepEqual(requests[1]!.NodeNameToMetaVictims, {
      b: { Pods: [{ UID: 'default/x' }, { UID: 'default/y' }], NumPDBViolations: 1 },
    })
  })

  test('and other victims are rejected', async (context) => {
    const url = await serve(
      context,
      responding(() => ({ NodeNameToMetaVictims: { b: { Pods: [{ UID: 'z' }] } } })),
    )
    await assert.rejects(extenderAt(url).preempt!(web, candidates), /it names pod z, which is not on node "b"/)
    const other = await serve(
      context,
      responding(() => ({ NodeNameToMetaVictims: { a: { Pods: [] } } })),
    )
    await assert.rejects(extenderAt(other).preempt!(web, candidates), /it names node "a", which was not in the request/)
  })
})

test('an extender binds pods', async (context) => {
  const requests: Body[] = []
  const url = await serve(
    context,
    responding((_, body) => {
      requests.push(body)
      return { Error: body.Node === 'b' ? 'no' : '' }
    }),
  )
  await extenderAt(url).bind!(web.pod, 'a')
  assert.deepEqual(requests, [{ PodName: 'web', PodNamespace: 'default', PodUID: 'default/web', Node: 'a' }])
  await assert.rejects(extenderAt(url).bind!(web.pod, 'b'), /: no$/)
})

test('an extender with managed resources is interested in pods that request them', () => {
  const extender = extenderAt('http://x', { managedResources: ['example.com/gpu'] })
  assert.equal(extender.isInterested(pod('p', { requests: { 'example.com/gpu': '1' } }).pod), true)
  assert.equal(extender.isInterested(pod('p', { requests: { cpu: '1' } }).pod), false)
  assert.equal(extenderAt('http://x').isInterested(web.pod), true)
})

test('an extender without a verb does not have the method', () => {
  const { filter, prioritize, preempt, bind } = httpExtender(
    { urlPrefix: 'x', weight: 1, timeout: 1, nodeCacheCapable: false, managedResources: [], isIgnorable: true },
    () => Promise.reject(),
  )
  assert.deepEqual([filter, prioritize, preempt, bind], [undefined, undefined, undefined, undefined])
})

describe('a call of an extender fails', () => {
  const call = (url: string, clock?: VirtualClock) => extenderAt(url, {}, clock).filter!(web, nodes)

  test('after the timeout', async (context) => {
    const clock = new VirtualClock()
    const url = await serve(context, () => {
      void clock.advance(5_000)
    })
    await assert.rejects(call(url, clock), /no response from http.* within 5000 ms/)
  })

  test('after the timeout in the middle of a response', async (context) => {
    const clock = new VirtualClock()
    const url = await serve(context, (_, response) => {
      response.write('{"NodeNames":[')
      setImmediate(() => clock.advance(5_000))
    })
    await assert.rejects(call(url, clock), /no response from http.* within 5000 ms/)
  })

  test('with a status other than 200', async (context) => {
    const url = await serve(context, (_, response) => response.writeHead(503).end('{}'))
    await assert.rejects(call(url), /\/api\/filter responded with status 503/)
  })

  test('with a response that is not JSON', async (context) => {
    const url = await serve(context, (_, response) => response.end('<html>'))
    await assert.rejects(call(url), /is not JSON/)
  })

  test('if the connection is closed', async (context) => {
    const url = await serve(context, (request) => request.socket.destroy())
    await assert.rejects(call(url), { code: 'ECONNRESET' })
  })

  test('but not if only a kept-alive connection was closed', async (context) => {
    let count = 0
    const url = await serve(context, (request, response) => {
      count++
      if (count === 2) request.socket.destroy()
      else response.end('{"NodeNames":["a"]}')
    })
    const extender = extenderAt(url)
    await extender.filter!(web, nodes)
    assert.equal((await extender.filter!(web, nodes)).nodes.length, 1)
    assert.equal(count, 3)
  })

  test('if nothing listens', async () => assert.rejects(call('http://127.0.0.1:1/api'), { code: 'ECONNREFUSED' }))
})

describe('over HTTPS', () => {
  const listener: RequestListener = (_, response) => response.end('{"NodeNames":["a"]}')

  test('the certificate is verified against the CA', async (context) => {
    const url = await serve(context, listener, true)
    const { nodes: passed } = await extenderAt(url, { tls: { ca: testAuthority.cert } }).filter!(web, nodes)
    assert.equal(passed.length, 1)
  })

  test('an unknown certificate is rejected, unless insecure is set', async (context) => {
    const url = await serve(context, listener, true)
    await assert.rejects(extenderAt(url).filter!(web, nodes), /unable to (verify|get)/)
    assert.equal((await extenderAt(url, { tls: { insecure: true } }).filter!(web, nodes)).nodes.length, 1)
  })
})
