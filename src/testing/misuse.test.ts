import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { Namespace } from '../api/core/v1/namespace.js'
import { Pod } from '../api/core/v1/pod.js'
import type { StartClusterOptions } from './cluster-options.js'
import { type Cluster, startCluster } from './start-cluster.js'

/** What somebody may write in JavaScript, or with a cast. */
type Anything = never

describe('startCluster says what is wrong with its options, and what to write', () => {
  const options: readonly [given: unknown, message: RegExp][] = [
    [{ clock: 'virtal' }, /^clock is 'virtal': write 'real' or 'virtual'$/],
    [{ nodes: -1 }, /^nodes is -1: write a whole number from 0 to/],
    [{ nodes: 1.5 }, /^nodes is 1.5: write a whole number/],
    [{ seed: 'x' }, /^seed is 'x': write a number$/],
    [{ clok: 'virtual' }, /no option 'clok': did you mean 'clock'\?; its options are clock, seed, controllers, nodes/],
    [{ controllers: 'all' }, /^controllers is 'all': write a list of names/],
    [
      { controllers: ['*', '-jobs'] },
      /^there is no controller 'jobs': did you mean 'job'\?; the controllers are .*job-/,
    ],
    [{ namespace: 'My Shop' }, /^namespace is 'My Shop': write the name of a namespace, in lower case/],
    [
      { featureGates: ['Initializers'] },
      /^featureGates is \["Initializers"\]: write an object, as in \{ Initializers: true/,
    ],
    [{ featureGates: { Initializers: 'true' } }, /^featureGates is \{.*\}: write an object/],
    [
      { featureGates: { Initialisers: true } },
      /^there is no feature gate 'Initialisers': did you mean 'Initializers'\?/,
    ],
    [{ admissionPlugins: 'Initializers' }, /^admissionPlugins is 'Initializers': write a list of names/],
    [
      { admissionPlugins: ['podsecurity'] },
      /^there is no admission plugin 'podsecurity': did you mean 'PodSecurity'\?/,
    ],
    [
      { admissionPlugins: ['PodSecurity', '-PodSecurity'] },
      /names 'PodSecurity' and '-PodSecurity': write one of them/,
    ],
    [
      { admissionPlugins: ['Initializers'] },
      /^the admission plugin 'Initializers' needs a feature: write featureGates: \{ Initializers: true \} as well$/,
    ],
    ['virtual', /^the options of startCluster are 'virtual': write an object/],
  ]
  for (const [given, message] of options)
    test(JSON.stringify(given), async () => {
      await assert.rejects(startCluster(given as StartClusterOptions), { name: 'TypeError', message })
    })
})

describe('a cluster says what is wrong with a call, and what to write', () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster({ clock: 'virtual', nodes: 0 })
  })
  after(() => cluster.close())

  test('waitFor', async () => {
    const wait = (...args: readonly unknown[]) => cluster.waitFor(...(args as [Anything, Anything]))
    await assert.rejects(
      wait('Pod', 'web'),
      /the kind is 'Pod': import a kind, as in import \{ Pod \} from 'proa\/api\/core\/v1', and write waitFor\(Pod/,
    )
    await assert.rejects(wait(undefined, 'web'), /the kind is undefined: import a kind/)
    await assert.rejects(wait(Pod), /the name is undefined: write waitFor\(Pod, 'name of the object'\)/)
    await assert.rejects(wait(Pod, 'web', { timeout: '1s' }), /write a function of the object; options come after it/)
    await assert.rejects(wait(Pod, 'web', undefined, { timout: '1s' }), /no option 'timout': did you mean 'timeout'\?/)
    await assert.rejects(
      wait(Pod, 'web', undefined, { timeout: 'soon' }),
      /timeout is 'soon': write a duration such as/,
    )
    await assert.rejects(
      wait(Pod, 'web', undefined, { timeout: '1s' }),
      /^Error: Pod web was not as wanted within 1s; there is no such object$/,
    )
  })

  test('advance', async () => {
    await assert.rejects(cluster.advance('1 hour'), /time cannot move by "1 hour": write a duration such as '1h30m'/)
    await assert.rejects(cluster.advance(-1), /time cannot move by -1: write/)
    await assert.rejects(cluster.advance(undefined as Anything), /time cannot move by undefined: write/)
    await using real = await startCluster({ nodes: 0 })
    await assert.rejects(real.advance('1h'), /start the cluster with \{ clock: 'virtual' \}/)
  })

  test('apply', async () => {
    await assert.rejects(cluster.apply(), /there is nothing to apply: write apply\(yaml\)/)
    await assert.rejects(cluster.apply(''), /there is no object in it/)
    await assert.rejects(cluster.apply('a: ['), /a manifest cannot be read: .*yaml.*; it begins "a: \["/)
    await assert.rejects(cluster.apply('web.yaml'), /it looks like a path: write apply\(readFileSync\(path, 'utf8'\)\)/)
    await assert.rejects(
      cluster.apply('kind: Pod'),
      /a manifest cannot be read: apiVersion not set; it begins "kind: Pod"/,
    )
    await assert.rejects(cluster.apply(42 as Anything), /a manifest is 42: write YAML, or objects/)
    await assert.rejects(cluster.apply([{}]), /a manifest is \[\{\}\]: write .*apply\(\.\.\.objects\)/)
    await assert.rejects(cluster.apply({ kind: 'Pod' }), /needs apiVersion, kind and metadata.name: \{"kind":"Pod"\}/)
  })

  test('a request for an object of a namespace that names none', async () => {
    const pods = cluster.client.resource(Pod)
    const message =
      /Pod objects are in namespaces, and none is given: write client\.resource\(Pod\)\.in\('default'\), or/
    await assert.rejects(pods.create({ metadata: { name: 'web' }, spec: { containers: [] } }), message)
    for (const method of ['get', 'delete'] as const) await assert.rejects(pods[method]('web'), message)
    await assert.rejects(pods.patch('web', 'merge', {}), message)
    await cluster.client.resource(ConfigMap).create({ metadata: { name: 'said', namespace: 'default' } })
    await cluster.client.resource(Namespace).create({ metadata: { name: 'shop' } })
    assert.throws(() => cluster.client.resource('Pod' as Anything), /the kind is "Pod": import it, as in/)
  })

  test('as', () => {
    assert.throws(() => cluster.as('jane' as Anything), /as\("jane"\) names nobody: write as\(\{ user: 'jane'/)
  })
})

test('a closed cluster says that it is closed, and can be closed again', async () => {
  const cluster = await startCluster({ clock: 'virtual', nodes: 0 })
  const jane = cluster.as({ user: 'jane' })
  await cluster.close()
  await cluster.close()
  const calls = [
    () => cluster.apply('a: b'),
    () => cluster.waitFor(Pod, 'web'),
    () => cluster.advance('1s'),
    () => cluster.fork(),
    () => cluster.client.resource(Pod).list(),
    () => jane.client.resource(Pod).list(),
    async () => cluster.as({ user: 'jane' }),
  ]
  for (const call of calls) await assert.rejects(call, /the cluster is closed: call close\(\) after everything else/)
})
