import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ApiError } from '../../api/errors.js'
import type { ListResponse } from '../response/response.js'
import { list } from './list.js'
import { setUp } from './reading.test.kit.js'

const names = ({ items }: ListResponse) => items.map(({ object }) => object.metadata.name).join(' ')

/** Objects `a` to `e` in namespace `a`, of which `b` and `d` are even, and one in `b`. */
async function filled(context: TestContext) {
  const cluster = await setUp(context)
  for (const [place, name] of ['a', 'b', 'c', 'd', 'e'].entries())
    await cluster.put(name, { metadata: { labels: { even: String(place % 2 === 1) } } })
  await cluster.put('f', {}, 'b')
  return { ...cluster, ask: async (...asked: Parameters<typeof cluster.scope>) => list(cluster.scope(...asked)) }
}

async function refusal(answer: Promise<unknown>): Promise<string> {
  try {
    await answer
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return `${error.code} ${error.message}`
  }
  return 'accepted'
}

describe('a list', () => {
  test('has all objects of one namespace or of all, in the order of their keys', async (context) => {
    const { ask, objects } = await filled(context)
    const answer = await ask('')
    assert.equal(names(answer), 'a b c d e')
    assert.equal(answer.revision, objects.revision)
    assert.equal(names(await ask('', { namespace: '' })), 'a b c d e f')
    assert.equal(names(await ask('', { namespace: 'none' })), '')
  })

  test('responds synchronously if it need not wait', async (context) => {
    const { scope } = await filled(context)
    assert.ok(!(list(scope('')) instanceof Promise))
    assert.ok(!(list(scope('resourceVersion=0')) instanceof Promise))
  })

  test('returns the cached objects themselves', async (context) => {
    const { ask, resource } = await filled(context)
    assert.equal((await ask('')).items[0], resource.objects.get(resource.key('a', 'a')))
  })

  test('has the objects that match label and field selectors', async (context) => {
    const { ask } = await filled(context)
    assert.equal(names(await ask('labelSelector=even=true')), 'b d')
    assert.equal(names(await ask('labelSelector=!even', { namespace: '' })), 'f')
    assert.equal(names(await ask('fieldSelector=metadata.name!=c&labelSelector=even=false')), 'a e')
    assert.equal(names(await ask('fieldSelector=metadata.name=c&labelSelector=even=false')), 'c')
    assert.equal(names(await ask('fieldSelector=metadata.name=c&labelSelector=even=true')), '')
    assert.equal(names(await ask('fieldSelector=metadata.namespace=b', { namespace: '' })), 'f')
    assert.equal(names(await ask('fieldSelector=metadata.namespace=b')), '')
    assert.equal(names(await ask('fieldSelector=metadata.name=f', { namespace: '' })), 'f')
  })

  test('has pages of one revision, whatever changes meanwhile', async (context) => {
    const { ask, put, remove } = await filled(context)
    const first = await ask('limit=2')
    assert.deepEqual([names(first), first.remaining], ['a b', 3])
    await remove('c')
    await put('bb')
    const second = await ask(`limit=2&continue=${first.continue}`)
    assert.deepEqual([names(second), second.remaining, second.revision], ['c d', 1, first.revision])
    const third = await ask(`limit=2&continue=${second.continue}`)
    assert.deepEqual([names(third), third.remaining, third.continue], ['e', undefined, undefined])
    assert.equal(names(await ask(`continue=${first.continue}`)), 'c d e')
  })

  test('with selectors does not report the number of remaining objects', async (context) => {
    const { ask, put } = await filled(context)
    const first = await ask('limit=1&labelSelector=even=true')
    assert.deepEqual([names(first), first.remaining, typeof first.continue], ['b', undefined, 'string'])
    await put('d')
    const second = await ask(`limit=1&labelSelector=even=true&continue=${first.continue}`)
    assert.equal(names(second), 'd')
    // Whether one of the rest would be selected is not known before it is looked at.
    assert.equal(typeof second.continue, 'string')
    assert.equal(names(await ask(`labelSelector=even=true&continue=${second.continue}`)), '')
  })

  test('of one object has no pages', async (context) => {
    const { ask } = await filled(context)
    assert.deepEqual((await ask('limit=1&fieldSelector=metadata.name=a')).continue, undefined)
  })

  test('cannot be continued in another namespace', async (context) => {
    const { ask } = await filled(context)
    const { continue: token } = await ask('limit=2')
    assert.equal(names(await ask(`continue=${token}`, { namespace: 'b' })), 'f')
  })

  test('rejects malformed tokens', async (context) => {
    const { ask } = await filled(context)
    const { continue: token } = await ask('limit=2')
    assert.match(await refusal(ask('continue=garbage')), /^400 invalid continue token: continue key is not valid: /)
    assert.equal(
      await refusal(ask(`continue=${token}&resourceVersion=5`)),
      '400 specifying resource version is not allowed when using continue',
    )
    assert.equal(names(await ask(`continue=${token}&resourceVersion=0`)), 'c d e')
  })

  test('of a compacted revision can be continued with the current objects', async (context) => {
    const { ask, put, memory, objects } = await filled(context)
    const { continue: token, revision } = await ask('limit=2')
    await put('bb')
    for (const name of ['c', 'd', 'e', 'f', 'g', 'h']) await put(name) // no longer at hand, either
    await memory.compact(objects.revision)
    const error = await ask(`limit=2&continue=${token}`).catch((failure: unknown) => failure)
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.code, error.reason], [410, 'Expired'])
    assert.match(error.message, /^The provided continue parameter is too old to display a consistent list result\./)
    const rest = await ask(`limit=2&continue=${error.status().metadata!.continue}`)
    assert.equal(names(rest), 'bb c')
    assert.ok(rest.revision > revision)
    assert.equal(names(await ask(`continue=${rest.continue}`)), 'd e f g h')
    assert.equal(
      await refusal(ask(`resourceVersion=${revision}&resourceVersionMatch=Exact`)),
      '410 The resourceVersion for the provided list is too old.',
    )
  })

  test('may be of exactly a revision, or not older', async (context) => {
    const { ask, objects, put } = await filled(context)
    const exact = await ask('resourceVersion=3&resourceVersionMatch=Exact')
    assert.deepEqual([names(exact), exact.revision], ['a b', 3])
    const limited = await ask('resourceVersion=4&limit=2')
    assert.deepEqual([names(limited), limited.revision, limited.remaining], ['a b', 4, 1])
    for (const query of [
      'resourceVersion=3',
      'resourceVersion=3&resourceVersionMatch=NotOlderThan',
      'resourceVersion=0',
    ]) {
      const answer = await ask(query)
      assert.deepEqual([names(answer), answer.revision], ['a b c d e', objects.revision], query)
    }
    const loose = await ask('resourceVersion=3&resourceVersionMatch=NotOlderThan&limit=2')
    assert.deepEqual([names(loose), loose.remaining], ['a b', 3])
    assert.equal(names(await ask('resourceVersion=0&limit=2')), 'a b c d e')
    const soon = ask(`resourceVersion=${objects.revision + 1}`)
    await put('new')
    assert.equal(names(await soon), 'a b c d e new')
  })

  test('waits three seconds for a future revision', async (context) => {
    const { ask, clock } = await filled(context)
    for (const query of [
      'resourceVersion=99',
      'resourceVersion=99&resourceVersionMatch=Exact',
      'resourceVersion=99&limit=1',
    ]) {
      let message = ''
      const refused = refusal(ask(query)).then((text) => {
        message = text
      })
      await clock.advance('2999ms')
      assert.equal(message, '')
      await clock.advance('1ms')
      await refused
      assert.equal(message, '504 Timeout: Too large resource version: 99, current: 7')
    }
  })

  test('rejects malformed revisions', async (context) => {
    const { ask } = await filled(context)
    const wrong = (text: string) =>
      `400 invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`
    assert.equal(await refusal(ask('resourceVersion=abc')), wrong('abc'))
    assert.equal(await refusal(ask('resourceVersion=-1')), wrong('-1'))
  })
})

describe('field selectors', () => {
  const fields = { 'spec.ready': (object: never) => String((object as { ready?: boolean }).ready ?? false) }

  test('of a kind without declared fields may use name and namespace', async (context) => {
    const { ask } = await filled(context)
    assert.equal(
      await refusal(ask('fieldSelector=data.k=v')),
      '400 "data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
  })

  test('may use the fields that a kind declares', async (context) => {
    const { scope, put } = await setUp(context, 'ConfigMap', fields)
    await put('x', { ready: true })
    await put('y')
    const ask = async (query: string) => list(scope(query))
    assert.equal(names(await ask('fieldSelector=spec.ready=true')), 'x')
    assert.equal(names(await ask('fieldSelector=spec.ready!=true,metadata.namespace=a')), 'y')
    assert.equal(await refusal(ask('fieldSelector=toString=1')), '400 field label not supported: toString')
  })

  test('reject the namespace for a cluster-scoped kind with declared fields', async (context) => {
    const { scope } = await setUp(context, 'Namespace', fields)
    const ask = async (query: string) => list(scope(query))
    assert.equal(
      await refusal(ask('fieldSelector=metadata.namespace=x')),
      '400 field label not supported: metadata.namespace',
    )
  })
})
