import { deepStrictEqual as deepEqual, strictEqual as equal, ok, rejects, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { builtin } from '../../api/scheme.js'
import { environment } from '../../base/environment.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { adminToken, startTestApiServer } from '../../testing/servers/api-server.js'
import { sendRaw } from '../../testing/servers/whoami.js'
import { readEncryption } from './configuration.js'
import { EncryptedStore } from './encrypted-store.js'
import { cipherProvider } from './providers.js'

const real = environment()

const secretOf = (letter: string, length = 32) => Buffer.alloc(length, letter).toString('base64')
const keys = (...letters: string[]) => ({
  keys: letters.map((letter) => ({ name: `key-${letter}`, secret: secretOf(letter) })),
})
const type = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' }
const rules = (providers: readonly object[], resources: readonly string[] = ['secrets']) =>
  readEncryption({ ...type, resources: [{ resources, providers }] }, { scheme: builtin, random: real.random })

const key = '/registry/secrets/work/s'
const value = Buffer.from('{"kind":"Secret","data":{"password":"aHVudGVyMg=="}}\n')
const put = (store: EncryptedStore, at = key) => store.transact({ changes: [{ type: 'put', key: at, value }] })

/** A value that Proa 0.1 stored with its own implementation of NaCl's secretbox; the nonce counts from 0 to 23. */
const recordedSecretbox =
  'azhzOmVuYzpzZWNyZXRib3g6djE6a2V5LWE6AAECAwQFBgcICQoLDA0ODxAREhMUFRYXmjemK7+Na7Y6PnjF8NHyw3noe1goFVJKShLr7m/VendVFwCOFIEtW2QHnEIpvofXD9VGI8WmXdPiQbWJLR1FmiEcZwPN'

describe('The secretbox provider', () => {
  const nonce = Buffer.from(Array.from({ length: 24 }, (_, index) => index))
  const secret = Buffer.alloc(32, 'a')
  const provider = cipherProvider('secretbox', [{ name: 'key-a', secret }], { ...real.random, bytes: () => nonce })

  it('writes the format of the recording, byte for byte', () => {
    equal(Buffer.from(provider.encrypt(value, key)).toString('base64'), recordedSecretbox)
  })

  it('reads the recording, and rejects it when a bit has changed', () => {
    const stored = Buffer.from(recordedSecretbox, 'base64')
    deepEqual(Buffer.from(provider.decrypt(stored, key)!.value), value)
    for (let index = stored.indexOf('key-a:') + 'key-a:'.length; index < stored.length; index++) {
      const changed = Buffer.from(stored)
      changed[index]! ^= 1 << (index % 8)
      throws(() => provider.decrypt(changed, key))
    }
  })

  it('opens the box of the test vector of NaCl', () => {
    const vector = {
      key: '1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389',
      nonce: '69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37',
      box: 'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
      message:
        'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705',
    }
    const other = cipherProvider('secretbox', [{ name: 'n', secret: Buffer.from(vector.key, 'hex') }], real.random)
    const stored = Buffer.concat([
      Buffer.from('k8s:enc:secretbox:v1:n:'),
      Buffer.from(vector.nonce, 'hex'),
      Buffer.from(vector.box, 'hex'),
    ])
    equal(Buffer.from(other.decrypt(stored, key)!.value).toString('hex'), vector.message)
  })
})

describe('An encrypted store', () => {
  for (const name of ['aesgcm', 'aescbc', 'secretbox'])
    it(`encrypts values with ${name}, and decrypts them only with the same key`, async () => {
      const raw = new MemoryStore({ environment: real })
      const store = new EncryptedStore(raw, rules([{ [name]: keys('a') }]))
      await put(store)
      await put(store, '/registry/configmaps/work/c')
      const stored = Buffer.from((await raw.get(key)).entry!.value)
      ok(stored.toString().startsWith(`k8s:enc:${name}:v1:key-a:`))
      ok(!stored.includes('password') && !stored.includes('aHVudGVyMg'))
      deepEqual(Buffer.from((await store.get(key)).entry!.value), value)
      deepEqual(
        (await store.range({ prefix: '/registry/' })).entries.map((entry) => Buffer.from(entry.value)),
        [value, value],
      )
      deepEqual(Buffer.from((await raw.get('/registry/configmaps/work/c')).entry!.value), value)
      const wrongKey = { [name]: { keys: [{ name: 'key-a', secret: secretOf('b') }] } }
      // aescbc authenticates nothing: only the padding reveals a wrong key, and not always.
      for (const other of [{ [name]: keys('b') }, ...(name === 'aescbc' ? [] : [wrongKey]), { identity: {} }])
        await rejects(new EncryptedStore(raw, rules([other])).get(key), /what is stored at .* cannot be decrypted/)
      await store.close()
    })

  it('decrypts the values and the previous values of watch events', async () => {
    const store = new EncryptedStore(new MemoryStore({ environment: real }), rules([{ aesgcm: keys('a') }]))
    await put(store)
    await store.transact({ changes: [{ type: 'delete', key }] })
    const seen: string[] = []
    for await (const { events } of store.watch({ prefix: '/registry/', revision: 1, previous: true })) {
      for (const event of events) {
        const shown = event.type === 'put' ? event.entry : event.previous!
        seen.push(`${event.type} ${Buffer.from(shown.value).equals(value)}`)
      }
      if (seen.length === 2) break
    }
    deepEqual(seen, ['put true', 'delete true'])
    await store.close()
  })

  it('rejects a value that was moved to another key', async () => {
    const raw = new MemoryStore({ environment: real })
    const store = new EncryptedStore(raw, rules([{ aesgcm: keys('a') }]))
    await put(store)
    const { entry } = await raw.get(key)
    await raw.transact({ changes: [{ type: 'put', key: `${key}2`, value: entry!.value }] })
    await rejects(store.get(`${key}2`), /cannot be decrypted/)
    await store.close()
  })

  it('rewrites every value after the configuration has changed, so that the old key can be removed', async () => {
    const raw = new MemoryStore({ environment: real })
    await put(new EncryptedStore(raw, rules([{ identity: {} }])))
    await put(new EncryptedStore(raw, rules([{ aescbc: keys('a') }])), `${key}2`)
    const next = new EncryptedStore(raw, rules([{ aesgcm: keys('b') }, { aescbc: keys('a') }, { identity: {} }]))
    equal(await next.rewriteOutdated(), 2)
    equal(await next.rewriteOutdated(), 0)
    const alone = new EncryptedStore(raw, rules([{ aesgcm: keys('b') }]))
    equal((await alone.range({ prefix: '/registry/' })).entries.length, 2)
    const rotated = new EncryptedStore(raw, rules([{ aesgcm: keys('c', 'b') }]))
    equal(await rotated.rewriteOutdated(), 2)
    const plain = new EncryptedStore(raw, rules([{ identity: {} }, { aesgcm: keys('c') }]))
    equal(await plain.rewriteOutdated(), 2)
    deepEqual(Buffer.from((await raw.get(key)).entry!.value), value)
    await raw.close()
  })
})

describe('An encryption configuration', () => {
  const covers = (resource: string, at: string) => rules([{ identity: {} }], [resource])[0]!.covers(at)

  it('covers resources, groups or everything', () => {
    ok(covers('secrets', key))
    ok(!covers('secrets', '/registry/secretsmore/x'))
    ok(covers('deployments.apps', '/registry/deployments/a/b'))
    ok(covers('*.apps', '/registry/deployments/a/b') && !covers('*.apps', key))
    ok(covers('*.', key) && !covers('*.', '/registry/deployments/a/b'))
    ok(covers('*.*', '/registry/anything/at/all'))
    ok(covers('services', '/registry/services/specs/a/b'))
    ok(covers('widgets.example.com', '/registry/example.com/widgets/a/b'))
  })

  it('that is invalid is rejected with an error that quotes no key', () => {
    const bad: readonly (readonly object[])[] = [
      [],
      [{}],
      [{ rot13: keys('a') }],
      [{ aesgcm: {} }],
      [{ aesgcm: { keys: [{ name: 'a', secret: 'c2VjcmV0LXNlY3JldA==' }] } }],
      [{ secretbox: { keys: [{ name: 'a', secret: secretOf('z', 16) }] } }],
      [{ aescbc: { keys: [{ name: 'a:b', secret: secretOf('z') }] } }],
      [{ aescbc: keys('a', 'a') }],
      [{ aescbc: keys('a'), aesgcm: keys('a') }],
    ]
    for (const providers of bad)
      throws(
        () => rules(providers),
        (error: Error) => !error.message.includes('c2VjcmV0') && !error.message.includes(secretOf('z').slice(0, 12)),
      )
    throws(() => rules([{ identity: {} }], ['nothings']), /no resource nothings/)
    throws(() => readEncryption({}, { scheme: builtin, random: real.random }), /EncryptionConfiguration/)
  })
})

describe('A server with encryption', () => {
  it('serves secrets as before, and stores them encrypted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proa-test-'))
    const encryptionConfig = join(folder, 'encryption.json')
    const resources = [{ resources: ['secrets'], providers: [{ aesgcm: keys('a') }, { identity: {} }] }]
    writeFileSync(encryptionConfig, JSON.stringify({ ...type, resources }))
    const server = await startTestApiServer({ options: { encryptionConfig } })
    try {
      const headers = ['Authorization', `Bearer ${adminToken}`, 'content-type', 'application/json']
      const path = '/api/v1/namespaces/default/secrets'
      const body = JSON.stringify({ metadata: { name: 's' }, stringData: { password: 'hunter2' } })
      equal((await sendRaw(server, { method: 'POST', path, headers, body })).status, 201)
      const { text } = await sendRaw(server, { path: `${path}/s`, headers })
      equal(JSON.parse(text).data.password, Buffer.from('hunter2').toString('base64'))
    } finally {
      await server.close()
      rmSync(folder, { recursive: true })
    }
  })
})
