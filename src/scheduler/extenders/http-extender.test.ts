import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../base/clock.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { authority, serving } from '../../testing/https-server.js'
import { cluster, node, pod } from '../plugins/plugins.test.kit.js'
import { httpExtender } from './http-extender.js'
import { httpExtenderTransport } from './http-transport.js'
import type { ExtenderSettings } from './settings.js'

type Body = Readonly<Record<string, unknown>>
type Answering = (path: string, body: Body) => unknown

/** Somebody's extender, until the test ends. */
async function serve(context: TestContext, listener: RequestListener, isSecure = false): Promise<string> {
  const server = isSecure ? createHttpsServer(serving, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/api`
}

const answering =
  (answer: Answering) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await request.toArray()).toString()
    response.end(JSON.stringify(answer(request.url!, JSON.parse(text))))
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
  test('whole nodes, unless it knows them itself', async (context) => {
    const asked: [string, Body][] = []
    const url = await serve(
      context,
      answering((path, body) => {
        asked.push([path, body])
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
    const knowing = await extenderAt(url, { nodeCacheCapable: true }).filter!(web, nodes)
    assert.deepEqual(
      knowing.nodes.map(({ name }) => name),
      ['a', 'c'],
    )
    assert.deepEqual(
      asked.map(([path]) => path),
      ['/api/filter', '/api/filter'],
    )
    const [[, first], [, second]] = asked as [[string, Body], [string, Body]]
    assert.equal((first.Pod as { readonly metadata: { readonly name: string } }).metadata.name, 'web')
    assert.equal((first.Nodes as { readonly items: readonly unknown[] }).items.length, 3)
    assert.equal(first.NodeNames, null)
    assert.deepEqual([second.Nodes, second.NodeNames], [null, ['a', 'b', 'c']])
  })

  test('by names of fields in whatever case', async (context) => {
    const url = await serve(
      context,
      answering(() => ({ nodenames: ['a'], failedNodes: { b: 'no' } })),
    )
    const { nodes: passed, rejectedNodes } = await extenderAt(url).filter!(web, nodes)
    assert.deepEqual([passed[0]!.name, rejectedNodes[0]!.name], ['a', 'b'])
  })

  const nonsense: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'an error of its own': [{ Error: 'out of order' }, /^Error: extender http.*: out of order$/],
    'nodes that it was not asked about': [{ NodeNames: ['z'] }, /it names node "z", which it was not asked about/],
    'what is no name': [{ NodeNames: [7] }, /NodeNames is no text/],
    'what is no map': [{ NodeNames: [], FailedNodes: 'all' }, /FailedNodes is no map/],
  }
  for (const [title, [answer, message]] of Object.entries(nonsense))
    test(`and is not listened to if it answers with ${title}`, async (context) => {
      const url = await serve(
        context,
        answering(() => answer),
      )
      await assert.rejects(extenderAt(url).filter!(web, nodes), message)
    })
})

describe('an extender compares nodes', () => {
  test('from 0 to 10, times its weight', async (context) => {
    const url = await serve(
      context,
      answering(() => [
        { Host: 'c', Score: 10 },
        { host: 'a', score: 3 },
      ]),
    )
    assert.deepEqual([...(await extenderAt(url).prioritize!(web, nodes))], [60, 0, 200])
  })

  test('by numbers', async (context) => {
    const url = await serve(
      context,
      answering(() => [{ Host: 'c', Score: 'much' }]),
    )
    await assert.rejects(extenderAt(url).prioritize!(web, nodes), /Score is no number/)
  })
})

describe('an extender says who has to go', () => {
  const b = nodes[1]!
  const candidates = [{ node: b, victims: b.pods, violations: 1 }]

  test('among those whom it is asked about, by their uid', async (context) => {
    const asked: Body[] = []
    const url = await serve(
      context,
      answering((_, body) => {
        asked.push(body)
        return { NodeNameToMetaVictims: { b: { Pods: [{ UID: 'default/y' }], NumPDBViolations: 0 } } }
      }),
    )
    const [left] = await extenderAt(url).preempt!(web, candidates)
    assert.deepEqual([left!.victims.map(({ key }) => key), left!.violations], [['default/y'], 0])
    const victims = (asked[0]!.NodeNameToVictims as Readonly<Record<string, { readonly Pods: readonly object[] }>>).b
    assert.equal(victims!.Pods.length, 2)
    await extenderAt(url, { nodeCacheCapable: true }).preempt!(web, candidates)
    assert.deepEqual(asked[1]!.NodeNameToMetaVictims, {
      b: { Pods: [{ UID: 'default/x' }, { UID: 'default/y' }], NumPDBViolations: 1 },
    })
  })

  test('and must not name others', async (context) => {
    const url = await serve(
      context,
      answering(() => ({ NodeNameToMetaVictims: { b: { Pods: [{ UID: 'z' }] } } })),
    )
    await assert.rejects(
      extenderAt(url).preempt!(web, candidates),
      /claims to preempt pod z on node "b", which is not there/,
    )
    const other = await serve(
      context,
      answering(() => ({ NodeNameToMetaVictims: { a: { Pods: [] } } })),
    )
    await assert.rejects(extenderAt(other).preempt!(web, candidates), /it names node "a", which it was not asked about/)
  })
})

test('an extender binds', async (context) => {
  const asked: Body[] = []
  const url = await serve(
    context,
    answering((_, body) => {
      asked.push(body)
      return { Error: body.Node === 'b' ? 'no' : '' }
    }),
  )
  await extenderAt(url).bind!(web.pod, 'a')
  assert.deepEqual(asked, [{ PodName: 'web', PodNamespace: 'default', PodUID: 'default/web', Node: 'a' }])
  await assert.rejects(extenderAt(url).bind!(web.pod, 'b'), /: no$/)
})

test('an extender is asked about pods that want what it manages', () => {
  const extender = extenderAt('http://x', { managedResources: ['example.com/gpu'] })
  assert.equal(extender.isInterested(pod('p', { requests: { 'example.com/gpu': '1' } }).pod), true)
  assert.equal(extender.isInterested(pod('p', { requests: { cpu: '1' } }).pod), false)
  assert.equal(extenderAt('http://x').isInterested(web.pod), true)
})

test('what has no verb is not asked', () => {
  const { filter, prioritize, preempt, bind } = httpExtender(
    { urlPrefix: 'x', weight: 1, timeout: 1, nodeCacheCapable: false, managedResources: [], isIgnorable: true },
    () => Promise.reject(),
  )
  assert.deepEqual([filter, prioritize, preempt, bind], [undefined, undefined, undefined, undefined])
})

describe('an extender that is in trouble', () => {
  const asking = (url: string, clock?: VirtualClock) => extenderAt(url, {}, clock).filter!(web, nodes)

  test('is not waited for longer than its time', async (context) => {
    const clock = new VirtualClock()
    const url = await serve(context, () => {
      void clock.advance(5_000)
    })
    await assert.rejects(asking(url, clock), /there was no answer from http.* within 5000 ms/)
  })

  test('may take too long in the middle of an answer', async (context) => {
    const clock = new VirtualClock()
    const url = await serve(context, (_, response) => {
      response.write('{"NodeNames":[')
      setImmediate(() => clock.advance(5_000))
    })
    await assert.rejects(asking(url, clock), /there was no answer from http.* within 5000 ms/)
  })

  test('may answer with another status', async (context) => {
    const url = await serve(context, (_, response) => response.writeHead(503).end('{}'))
    await assert.rejects(asking(url), /\/api\/filter answered with status 503/)
  })

  test('may answer with what is no JSON', async (context) => {
    const url = await serve(context, (_, response) => response.end('<html>'))
    await assert.rejects(asking(url), /answered with what is no JSON/)
  })

  test('may hang up', async (context) => {
    const url = await serve(context, (request) => request.socket.destroy())
    await assert.rejects(asking(url), { code: 'ECONNRESET' })
  })

  test('may have closed a connection that was kept, which nobody notices', async (context) => {
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

  test('may not be there', async () => assert.rejects(asking('http://127.0.0.1:1/api'), { code: 'ECONNREFUSED' }))
})

describe('over HTTPS', () => {
  const listener: RequestListener = (_, response) => response.end('{"NodeNames":["a"]}')

  test('an extender is known by its authority', async (context) => {
    const url = await serve(context, listener, true)
    const { nodes: passed } = await extenderAt(url, { tls: { ca: authority.cert } }).filter!(web, nodes)
    assert.equal(passed.length, 1)
  })

  test('a stranger is not asked, unless told', async (context) => {
    const url = await serve(context, listener, true)
    await assert.rejects(extenderAt(url).filter!(web, nodes), /unable to (verify|get)/)
    assert.equal((await extenderAt(url, { tls: { insecure: true } }).filter!(web, nodes)).nodes.length, 1)
  })
})
