import { deepStrictEqual as deepEqual, strictEqual as equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowSchema } from '../../api/flowcontrol/v1/flow-schema.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { adminToken, startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { sendRaw } from '../../testing/servers/whoami.js'
import { requestInfo } from '../request/request-info.js'
import type { RequestUser } from '../request/user.js'
import { FlowSchemas } from './flow-schemas.js'
import { type LevelLimits, PriorityLevel } from './priority-level.js'

const user = (name: string, ...groups: string[]): RequestUser => ({ name, uid: '', groups, extra: {} })
const info = (path: string, method = 'GET') => requestInfo(method, path, new URLSearchParams())

describe('A flow schema', () => {
  const schema = (name: string, spec: object): FlowSchema =>
    ({ metadata: { name }, spec: { priorityLevelConfiguration: { name: 'level' }, ...spec } }) as unknown as FlowSchema
  const everyone = [{ kind: 'Group', group: { name: '*' } }]
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }]
  const nameOf = (schemas: readonly FlowSchema[], path: string, who = user('jane', 'dev')) =>
    new FlowSchemas(schemas).flowOf(info(path), who)?.key

  it('of the lowest number comes first, and then by name', () => {
    const rules = [{ subjects: everyone, resourceRules }]
    const all = [
      schema('c', { matchingPrecedence: 9, rules }),
      schema('b', { matchingPrecedence: 5, rules }),
      schema('a', { matchingPrecedence: 5, rules }),
    ]
    equal(nameOf(all, '/api/v1/nodes'), 'a/')
    equal(nameOf(all, '/healthz'), undefined)
  })

  const about = (subjects: readonly object[], rule: object = resourceRules[0]!) => [
    schema('it', { rules: [{ subjects, resourceRules: [rule] }] }),
  ]
  const pods = '/api/v1/namespaces/work/pods'

  it('is for its subjects only', () => {
    const account = user('system:serviceaccount:work:robot')
    ok(nameOf(about([{ kind: 'User', user: { name: 'jane' } }]), pods))
    ok(!nameOf(about([{ kind: 'User', user: { name: 'john' } }]), pods))
    ok(nameOf(about([{ kind: 'User', user: { name: '*' } }]), pods))
    ok(nameOf(about([{ kind: 'Group', group: { name: 'dev' } }]), pods))
    const one = { namespace: 'work', name: 'robot' }
    ok(nameOf(about([{ kind: 'ServiceAccount', serviceAccount: one }]), pods, account))
    ok(nameOf(about([{ kind: 'ServiceAccount', serviceAccount: { ...one, name: '*' } }]), pods, account))
    ok(!nameOf(about([{ kind: 'ServiceAccount', serviceAccount: { ...one, namespace: 'wor' } }]), pods, account))
  })

  it('is for its resources and paths only', () => {
    const rule = { verbs: ['list'], apiGroups: [''], resources: ['pods', 'pods/log'], namespaces: ['work'] }
    ok(nameOf(about(everyone, rule), pods))
    ok(!nameOf(about(everyone, rule), `${pods}/p`))
    ok(!nameOf(about(everyone, rule), '/api/v1/pods'))
    ok(nameOf(about(everyone, { ...rule, clusterScope: true }), '/api/v1/pods'))
    ok(!nameOf(about(everyone, { ...rule, namespaces: ['play'] }), pods))
    ok(nameOf(about(everyone, { ...rule, verbs: ['get'] }), `${pods}/p/log`))
    ok(!nameOf(about(everyone, { ...rule, verbs: ['get'] }), `${pods}/p/status`))
    const paths = [
      schema('it', {
        rules: [
          { subjects: everyone, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/livez*', '/readyz'] }] },
        ],
      }),
    ]
    ok(nameOf(paths, '/livez/etcd'))
    ok(!nameOf(paths, '/readyz/etcd'))
  })

  it('tells flows apart by user or by namespace', () => {
    const rules = [{ subjects: everyone, resourceRules }]
    equal(nameOf([schema('it', { rules, distinguisherMethod: { type: 'ByUser' } })], pods), 'it/jane')
    equal(nameOf([schema('it', { rules, distinguisherMethod: { type: 'ByNamespace' } })], pods), 'it/work')
  })
})

describe('A priority level', () => {
  const limits: LevelLimits = { seats: 2, lendable: 0, borrowable: 0, queue: { perFlow: 4, total: 6 } }
  const level = (changes: Partial<LevelLimits> = {}, mayBorrow = () => false) => {
    const clock = new VirtualClock()
    return { clock, it: new PriorityLevel({ ...limits, ...changes }, { clock, patience: 15_000, mayBorrow }) }
  }

  it('gives its seats at once, and lets the rest wait', async () => {
    const { it } = level()
    equal(it.enter('a'), undefined)
    equal(it.enter('a'), undefined)
    const third = it.enter('a')
    ok(third instanceof Promise)
    it.leave()
    equal(await third, undefined)
    equal(it.executing, 2)
  })

  it('lets flows take turns, however long their queues are', async () => {
    const { it } = level({ seats: 1 })
    it.enter('flood')
    const order: string[] = []
    const enter = (flow: string) => Promise.resolve(it.enter(flow)).then(() => order.push(flow))
    const all = [enter('flood'), enter('flood'), enter('flood'), enter('jane'), enter('john')]
    for (const one of all) {
      it.leave()
      await Promise.race([one, Promise.resolve()])
      await new Promise((resolve) => setImmediate(resolve))
    }
    deepEqual(order, ['flood', 'jane', 'john', 'flood', 'flood'])
  })

  it('lets others begin before the rest of a flood, also where there are seats for all', async () => {
    const { it } = level({ seats: 1000, queue: { perFlow: 400, total: 6400 } })
    const flood = Array.from({ length: 50 }, () => it.enter('flood'))
    equal(flood.filter((outcome) => outcome === undefined).length, 16)
    equal(it.enter('jane'), undefined)
    deepEqual(await Promise.all(flood), Array(50).fill(undefined))
    equal(it.executing, 51)
    await new Promise((resolve) => setImmediate(resolve))
    equal(it.enter('flood'), undefined)
  })

  it('turns away a flow whose queue is full, and nobody else', () => {
    const { it } = level({ seats: 1 })
    it.enter('flood')
    for (let index = 0; index < 4; index++) ok(it.enter('flood') instanceof Promise)
    equal(it.enter('flood'), 'queue-full')
    ok(it.enter('jane') instanceof Promise)
    ok(it.enter('john') instanceof Promise)
    equal(it.enter('jack'), 'queue-full') // all that may wait do
    deepEqual(it.rejected, { 'concurrency-limit': 0, 'queue-full': 2, 'time-out': 0 })
  })

  it('without queues turns away at once', () => {
    const { it } = level({ queue: undefined, seats: 1 })
    equal(it.enter('a'), undefined)
    equal(it.enter('b'), 'concurrency-limit')
  })

  it('lets nobody wait for ever', async () => {
    const { it, clock } = level({ seats: 1 })
    it.enter('a')
    const waiting = it.enter('a')
    await clock.advance('16s')
    equal(await waiting, 'time-out')
    equal(it.waiting, 0)
    it.leave()
    equal(it.executing, 0)
  })

  it('uses seats of others where these are free, as far as it may', () => {
    let free = true
    const { it } = level({ borrowable: 1 }, () => free)
    for (let index = 0; index < 3; index++) equal(it.enter('a'), undefined)
    equal(it.borrowed, 1)
    ok(it.enter('a') instanceof Promise)
    free = false
    it.leave()
    equal(it.executing, 2)
    equal(level({ seats: 5, lendable: 3 }).it.spare, 3)
  })
})

describe('A server with few seats', () => {
  const tokens = ['flood-token,flood,1,"dev"', 'jane-token,jane,2,"dev"']
  const few = (isFair: boolean) => ({
    timeout: 60_000,
    minWatchTimeout: 1_800_000,
    maxInFlight: 1,
    maxMutatingInFlight: 1,
    isFair,
  })
  const ask = (server: TestApiServer, token: string, path = '/version') =>
    sendRaw(server, { path, headers: ['Authorization', `Bearer ${token}`] })

  it('serves everybody in turn, and says at which level', async () => {
    const server = await startTestApiServer({ tokens, options: { requests: few(true) } })
    try {
      const answers = await Promise.all(Array.from({ length: 30 }, () => ask(server, 'flood-token')))
      deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      const { status, headers } = await ask(server, 'jane-token')
      equal(status, 200)
      ok(headers['x-kubernetes-pf-prioritylevel-uid'])
      ok(
        (await server.environment.metrics.text()).includes(
          'apiserver_flowcontrol_dispatched_requests_total{priority_level="global-default"} 31',
        ),
      )
    } finally {
      await server.close()
    }
  })

  it('lets go of the seat of a watch once it has begun, and of one that is rejected', async () => {
    const server = await startTestApiServer({ tokens, options: { requests: few(true) } })
    try {
      const watches = Array.from({ length: 5 }, () => ask(server, adminToken, '/api/v1/nodes?watch=1&timeoutSeconds=2'))
      for (let index = 0; index < 5; index++) equal((await ask(server, 'flood-token', '/api/v1/nodes')).status, 403)
      equal((await ask(server, 'jane-token')).status, 200)
      for (const watch of watches) equal((await watch).status, 200)
      ok(
        /current_executing_requests\{priority_level="global-default"\} 0/.test(await server.environment.metrics.text()),
      )
    } finally {
      await server.close()
    }
  })

  it('by plain limits turns away who is too many, but not who may do everything', async () => {
    const server = await startTestApiServer({ tokens, options: { requests: few(false) } })
    try {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } })
      const create = (token: string) =>
        sendRaw(server, {
          method: 'POST',
          path: '/api/v1/namespaces/default/configmaps',
          headers: ['Authorization', `Bearer ${token}`, 'content-type', 'application/json'],
          body,
        })
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(adminToken)))
      deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    } finally {
      await server.close()
    }
  })
})

describe('Plain limits', () => {
  it('turn away those who are too many at the same time, and tell them to come back', async () => {
    const { inFlightStage } = await import('./in-flight.js')
    const stage = inFlightStage({ reading: 1, writing: 0 })
    const context = (who: RequestUser, path = '/api/v1/nodes', method = 'GET') =>
      ({ info: info(path, method), user: who, headers: {} }) as unknown as Parameters<typeof stage.run>[0]
    const first = context(user('jane'))
    const second = context(user('john'))
    const third = context(user('admin', 'system:masters'))
    const write = context(user('john'), '/api/v1/nodes', 'POST')
    for (const each of [first, second, third, write]) stage.run(each)
    deepEqual(
      [first, second, third, write].map(({ response }) => response?.is === 'bytes' && response.code),
      [false, 429, false, false],
    )
    equal(second.headers['retry-after'], '1')
    for (const { listeners } of [first, third]) listeners![0]!.ended(first, { code: 200 })
    const fourth = context(user('john'))
    stage.run(fourth)
    equal(fourth.response, undefined)
  })
})
