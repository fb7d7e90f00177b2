import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { Client } from '../../client/client.js'
import { plainFolders } from './mounts.js'
import { PodTokens } from './pod-tokens.js'
import { namespace, VolumesHarness } from './volumes.test.kit.js'

const hour = 3600

describe('a token in a volume', () => {
  const clock = new VirtualClock()
  let node: VolumesHarness
  before(async () => {
    node = await VolumesHarness.start(environment({ clock }), plainFolders)
  })
  after(() => node.close())
  afterEach(async () => {
    for (const uid of await node.volumes.known()) await node.volumes.remove(uid)
  })

  const tokenFile = async (name: string, expirationSeconds: number) => {
    const projected = { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds } }] }
    const pod = await node.pod(name, [{ name: 't', projected }])
    return join((await node.volumes.ensure(pod)).get('t')!.path, 'token')
  }
  const issuedAt = (file: string) => {
    const claims = JSON.parse(Buffer.from(readFileSync(file, 'utf8').split('.')[1]!, 'base64url').toString())
    return claims.iat as number
  }

  test('is renewed after four fifths of its lifetime, without a sync of the pod', async () => {
    const file = await tokenFile('short', hour)
    const first = issuedAt(file)
    await clock.advance((0.8 * hour - 11) * 1000)
    assert.equal(issuedAt(file), first, 'not before that')
    await clock.advance('11s')
    const second = issuedAt(file)
    assert.ok(second > first && second <= first + 0.8 * hour, 'ten seconds early at most')
    await clock.advance('1h')
    assert.ok(issuedAt(file) > second, 'and again')
  })

  test('is used while it is valid and cannot be renewed, which is retried every minute', async () => {
    const file = await tokenFile('stubborn', hour)
    const first = readFileSync(file, 'utf8')
    const accounts = node.admin.resource(ServiceAccount)
    await accounts.in(namespace).delete('default')
    await clock.advance(0.9 * hour * 1000)
    assert.equal(readFileSync(file, 'utf8'), first)
    assert.deepEqual(node.told, [])
    await accounts.create({ metadata: { name: 'default', namespace } })
    await clock.advance('61s')
    assert.notEqual(readFileSync(file, 'utf8'), first)
  })

  test('that cannot be requested keeps the pod from starting', async () => {
    const projected = { sources: [{ serviceAccountToken: { path: 'token' } }] }
    const accounts = node.admin.resource(ServiceAccount)
    const pod = await node.pod('none', [{ name: 't', projected }])
    await accounts.in(namespace).delete('default')
    await assert.rejects(node.volumes.ensure(pod), {
      message: 'MountVolume.SetUp failed for volume "t" : failed to fetch token: serviceaccounts "default" not found',
    })
  })

  test('of a removed pod is not renewed', async () => {
    const accounts = node.admin.resource(ServiceAccount)
    await accounts.create({ metadata: { name: 'default', namespace } })
    await tokenFile('gone', hour)
    for (const uid of await node.volumes.known()) await node.volumes.remove(uid)
    await clock.advance('1h')
    assert.deepEqual(await node.volumes.known(), [])
    assert.deepEqual(node.told, [])
  })
})

describe('tokens of service accounts', () => {
  const clock = new VirtualClock()
  const pod = { metadata: { name: 'p', namespace, uid: 'u' }, spec: {} } as unknown as Pod
  let fails = false
  const create = async ({ spec }: { spec: { expirationSeconds: number } }) => {
    if (fails) throw new Error('no answer')
    const expires = new Date(clock.now() + spec.expirationSeconds * 1000).toISOString()
    return { spec, status: { token: `made at ${clock.now()}`, expirationTimestamp: expires } }
  }
  const resource = { in: () => ({ subresource: () => ({ create }) }) }
  const client = { resource: () => resource } as unknown as Client
  const tokens = new PodTokens({ client, environment: environment({ clock }) })
  const text = async (expirationSeconds: number) => (await tokens.token(pod, { path: 't', expirationSeconds })).text

  test('are used for at most a day', async () => {
    const first = await text(100 * hour)
    await clock.advance((24 * hour - 11) * 1000)
    assert.equal(await text(100 * hour), first)
    await clock.advance('11s')
    assert.notEqual(await text(100 * hour), first)
  })

  test('are separate for each audience and lifetime', async () => {
    const one = await tokens.token(pod, { path: 't', expirationSeconds: hour })
    const other = await tokens.token(pod, { path: 't', expirationSeconds: hour, audience: 'x' })
    assert.notEqual(one, other)
    assert.equal(await tokens.token(pod, { path: 'elsewhere', expirationSeconds: hour }), one)
  })

  test('are not used after they expired', async () => {
    const first = await text(2 * hour)
    fails = true
    await clock.advance((2 * hour - 1) * 1000)
    assert.equal(await text(2 * hour), first)
    await clock.advance('62s')
    const message = 'token ["default","default","",7200,"p","u"] expired and refresh failed: no answer'
    await assert.rejects(text(2 * hour), { message })
    fails = false
    assert.notEqual(await text(2 * hour), first)
  })
})
