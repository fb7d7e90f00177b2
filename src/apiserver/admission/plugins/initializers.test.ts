import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openGates } from '../../../api/feature-gates.js'
import type { Initializers } from '../../../api/meta/v1/initializers.js'
import { schemeWith } from '../../../api/scheme.js'
import { openPluginHarness, pod, rejectionOf, type SampleRequest } from '../admission.test.kit.js'
import { initializers } from './initializers.js'

const gated = schemeWith(openGates({ Initializers: true }))

interface Rule {
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
}

const pods: Rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }

function configuration(name: string, ...named: readonly (readonly [string, ...Rule[]])[]): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1alpha1',
    kind: 'InitializerConfiguration',
    metadata: { name },
    initializers: named.map(([initializer, ...rules]) => ({ name: initializer, rules })),
  }
}

/** A harness in which only those may initialize whose name says so; gives who is waited for after a write. */
async function open(...configurations: readonly object[]) {
  const harness = await openPluginHarness({}, gated)
  await harness.store(...configurations)
  const plugin = harness.create(initializers, {
    authorize: ({ user, verb }) =>
      user.name === `may ${verb}`
        ? { decision: 'allow', reason: '' }
        : { decision: 'no-opinion', reason: 'nobody said so' },
  })
  const admit = (asked: SampleRequest) => harness.admit(plugin, asked)
  return {
    refusal: (asked: SampleRequest) => rejectionOf(admit(asked)),
    async waitsFor(asked: SampleRequest): Promise<readonly string[] | undefined> {
      const { object } = await admit(asked)
      return object.metadata.initializers?.pending.map(({ name }) => name)
    },
  }
}

function waiting(...names: readonly string[]): { readonly initializers: Initializers } {
  return { initializers: { pending: names.map((name) => ({ name })) } }
}

const initializer = 'may initialize'

describe('a new object', () => {
  test('waits for all who match: by the names of their configurations, then in their order, each once', async () => {
    const { waitsFor } = await open(
      configuration('second', ['c.x.y', pods], ['a.x.y', pods]),
      configuration('first', ['b.x.y', pods], ['a.x.y', pods]),
    )
    assert.deepEqual(await waitsFor({ object: pod('p') }), ['b.x.y', 'a.x.y', 'c.x.y'])
  })

  test('is matched by any of the rules, each of which matches as a whole', async () => {
    const { waitsFor } = await open(
      configuration(
        'all',
        ['any.x.y', { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
        ['either.x.y', { ...pods, resources: ['secrets'] }, pods],
        ['group.x.y', { ...pods, apiGroups: ['apps'] }],
        ['version.x.y', { ...pods, apiVersions: ['v2'] }],
        ['resource.x.y', { ...pods, resources: ['pod'] }],
        ['idle.x.y'],
      ),
    )
    assert.deepEqual(await waitsFor({ object: pod('p') }), ['any.x.y', 'either.x.y'])
  })

  test('waits for nobody if nobody matches, or if it only mirrors what runs anyway', async () => {
    const { waitsFor } = await open(configuration('c', ['a.x.y', pods]))
    const mirror = pod('p', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } })
    assert.equal(await waitsFor({ object: mirror }), undefined)
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'here' } }
    assert.equal(await waitsFor({ object: secret }), undefined)
  })

  test('waits for whom its creator says, or for nobody, if he may initialize', async () => {
    const { waitsFor, refusal } = await open(configuration('c', ['a.x.y', pods]))
    const own = pod('p', {}, waiting('own.x.y'))
    const none = pod('p', {}, waiting())
    assert.deepEqual(await waitsFor({ object: own, user: initializer }), ['own.x.y'])
    assert.equal(await waitsFor({ object: none, user: initializer }), undefined)
    for (const object of [own, none])
      assert.equal(await refusal({ object }), 'pods "p" is forbidden: create with initializers denied: nobody said so')
  })
})

describe('an object that waits', () => {
  const old = pod('p', {}, waiting('a.x.y', 'b.x.y'))

  test('loses the first name, by who may initialize', async () => {
    const { waitsFor, refusal } = await open()
    const next = pod('p', {}, waiting('b.x.y'))
    assert.deepEqual(await waitsFor({ object: next, old, user: initializer }), ['b.x.y'])
    assert.equal(
      await refusal({ object: next, old }),
      'pods "p" is forbidden: update to uninitialized resource denied: nobody said so',
    )
  })

  test('loses no other, whoever asks', async () => {
    const { refusal } = await open()
    assert.equal(
      await refusal({ object: pod('p', {}, waiting('a.x.y')), old, user: initializer }),
      'Pod "p" is invalid: metadata.initializers.pending: Invalid value: ["a.x.y"]: only the first pending initializer may be removed',
    )
  })

  test('is complete when the list is empty, which then is not there', async () => {
    const { waitsFor } = await open()
    const last = pod('p', {}, waiting('b.x.y'))
    assert.equal(await waitsFor({ object: pod('p', {}, waiting()), old: last, user: initializer }), undefined)
  })

  test('is changed by nobody else, also through its parts', async () => {
    const { refusal } = await open()
    const object = pod('p', {}, { ...waiting('a.x.y', 'b.x.y'), labels: { a: 'b' } })
    const denied = 'pods "p" is forbidden: update to uninitialized resource denied: nobody said so'
    assert.equal(await refusal({ object, old }), denied)
    assert.equal(await refusal({ object, old, subresource: 'status' }), denied)
  })
})

describe('an object that is complete', () => {
  test('is changed by everybody, with an empty list or none, and never waits again', async () => {
    const { waitsFor, refusal } = await open(configuration('c', ['a.x.y', pods]))
    const old = pod('p')
    assert.equal(await waitsFor({ object: pod('p', {}, { labels: { a: 'b' } }), old }), undefined)
    assert.equal(await waitsFor({ object: pod('p', {}, waiting()), old }), undefined)
    assert.equal(
      await refusal({ object: pod('p', {}, waiting('a.x.y')), old, user: initializer }),
      'Pod "p" is invalid: metadata.initializers: Invalid value: null: field is immutable once initialization has completed',
    )
  })
})
