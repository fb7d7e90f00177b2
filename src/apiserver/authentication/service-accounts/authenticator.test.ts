import { deepStrictEqual as deepEqual, strictEqual as equal, throws } from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { KubeObject } from '../../../api/kube-object.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { signingKey, signToken } from '../../../wire/jwt/sign.js'
import { serviceAccountUser } from '../../authorization/well-known-users.js'
import type { TokenUser } from '../authenticator.js'
import type { CredentialObjects } from '../credential-objects.js'
import { serviceAccountAuthenticator } from './authenticator.js'
import type { KubernetesClaims } from './claims.js'
import { verifyingKeys } from './keys.js'

const issuer = 'https://kubernetes.default.svc'
const key = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
const older = signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const stranger = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

const pem = (signing: typeof key) => createPublicKey(signing.key).export({ type: 'spki', format: 'pem' }).toString()

class World implements CredentialObjects {
  readonly objects = new Map<string, KubeObject>()

  put(resource: string, name: string, parts: object = {}): this {
    const metadata = { name, namespace: 'work', uid: `uid-of-${name}` }
    this.objects.set(`${resource}/${name}`, {
      apiVersion: 'v1',
      kind: 'x',
      metadata,
      ...parts,
    } as unknown as KubeObject)
    return this
  }

  find(resource: string, _namespace: string, name: string): KubeObject | undefined {
    return this.objects.get(`${resource}/${name}`)
  }

  current(): undefined {}
}

function setting() {
  const clock = new VirtualClock()
  const world = new World().put('serviceaccounts', 'robot')
  const keys = verifyingKeys([{ path: 'keys', content: pem(key) + pem(older) }])
  const tokens = serviceAccountAuthenticator({
    clock,
    objects: world,
    keys,
    issuers: [issuer, 'https://old'],
    audiences: [issuer],
  })
  const seconds = () => Math.floor(clock.now() / 1000)
  const claims = (own: Partial<KubernetesClaims> = {}, more: object = {}) => ({
    iss: issuer,
    sub: serviceAccountUser('work', 'robot'),
    aud: [issuer],
    iat: seconds(),
    nbf: seconds(),
    exp: seconds() + 3600,
    jti: 'id-of-token',
    'kubernetes.io': { namespace: 'work', serviceaccount: { name: 'robot', uid: 'uid-of-robot' }, ...own },
    ...more,
  })
  const ask = (token: string, audiences?: readonly string[]) =>
    tokens.authenticate(token, audiences) as TokenUser | undefined
  return {
    clock,
    world,
    claims,
    ask,
    sign: (own?: Partial<KubernetesClaims>, more?: object) => signToken(claims(own, more), key),
  }
}

describe("A service account's token", () => {
  it('speaks for its account', () => {
    const { ask, sign } = setting()
    deepEqual(ask(sign()), {
      name: 'system:serviceaccount:work:robot',
      uid: 'uid-of-robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:work'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id-of-token'] },
    })
  })

  it('tells of the pod and node that it is bound to', () => {
    const { ask, sign, world } = setting()
    world.put('pods', 'p')
    const token = sign({ pod: { name: 'p', uid: 'uid-of-p' }, node: { name: 'n', uid: 'uid-of-n' } })
    deepEqual(ask(token)?.extra, {
      'authentication.kubernetes.io/credential-id': ['JTI=id-of-token'],
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/node-uid': ['uid-of-n'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['uid-of-p'],
    })
  })

  it('may be signed by any of the keys, but by no other', () => {
    const { ask, claims } = setting()
    equal(ask(signToken(claims(), older))?.name, 'system:serviceaccount:work:robot')
    throws(() => ask(signToken(claims(), stranger)), /unknown key/)
    throws(() => ask(signToken(claims(), { ...stranger, id: key.id })), /unknown key/)
  })

  it('of another issuer, or of another form, is left to others', () => {
    const { ask, sign } = setting()
    equal(ask(sign({}, { iss: 'https://elsewhere' })), undefined)
    equal(ask('abcdef.0123456789abcdef'), undefined)
    equal(ask('a.b.c'), undefined)
    equal(ask(sign({}, { iss: 'https://old' }))?.uid, 'uid-of-robot')
  })

  it('counts only while it lasts', async () => {
    const { ask, sign, clock } = setting()
    const token = sign()
    const early = sign({}, { nbf: clock.now() / 1000 + 120 })
    throws(() => ask(early), { message: 'service account token is not valid yet' })
    equal(ask(token)?.uid, 'uid-of-robot')
    await clock.advance('1h2m')
    throws(() => ask(token), { message: 'service account token has expired' })
    throws(() => ask(sign({}, { exp: undefined })), /no expiration time/)
  })

  it('counts only for whom it is meant', () => {
    const { ask, sign } = setting()
    const token = sign({}, { aud: ['vault', 'https://vault.example'] })
    throws(() => ask(token), {
      message: `token audiences ["vault" "https://vault.example"] is invalid for the target audiences ["${issuer}"]`,
    })
    deepEqual(ask(token, ['vault', 'nobody'])?.audiences, ['vault'])
    throws(() => ask(sign({}, { aud: [] })), /invalid for the target audiences/)
  })

  it('dies with its account, also when another one has taken its name', () => {
    const { ask, sign, world } = setting()
    const token = sign()
    equal(ask(token)?.uid, 'uid-of-robot')
    world.put('serviceaccounts', 'robot', { metadata: { name: 'robot', uid: 'another' } })
    throws(() => ask(token), { message: 'service account UID (another) does not match claim (uid-of-robot)' })
    world.objects.clear()
    throws(() => ask(token), { message: 'serviceaccounts "robot" not found' })
  })

  for (const [resource, noun] of [
    ['pods', 'pod'],
    ['secrets', 'secret'],
    ['nodes', 'node'],
  ] as const)
    it(`dies with the ${noun} that it is bound to`, async () => {
      const { ask, sign, world, clock } = setting()
      world.put(resource, 'it')
      const token = sign({ [noun]: { name: 'it', uid: 'uid-of-it' } })
      equal(ask(token)?.uid, 'uid-of-robot')
      const deletionTimestamp = new Date(clock.now()).toISOString()
      world.put(resource, 'it', { metadata: { name: 'it', uid: 'uid-of-it', deletionTimestamp } })
      equal(ask(token)?.uid, 'uid-of-robot')
      await clock.advance('61s')
      throws(() => ask(token), { message: 'service account token has been invalidated' })
      world.put(resource, 'it', { metadata: { name: 'it', uid: 'new' } })
      throws(() => ask(token), {
        message: `${noun} UID (new) does not match service account ${noun} ref claim (uid-of-it)`,
      })
      world.objects.delete(`${resource}/it`)
      throws(() => ask(token), { message: 'service account token has been invalidated' })
    })

  it('that contradicts itself is rejected', () => {
    const { ask, sign } = setting()
    throws(() => ask(sign({}, { sub: serviceAccountUser('work', 'boss') })), /subject/)
    throws(() => ask(sign({ namespace: '' })), /names no service account/)
    throws(() => ask(sign({}, { 'kubernetes.io': 'robot' })), /names no service account/)
    throws(() => ask(sign({ pod: null as never })), /names no service account/)
  })
})

describe('A legacy token', () => {
  const claims = {
    iss: 'kubernetes/serviceaccount',
    sub: serviceAccountUser('work', 'robot'),
    'kubernetes.io/serviceaccount/namespace': 'work',
    'kubernetes.io/serviceaccount/secret.name': 'robot-token',
    'kubernetes.io/serviceaccount/service-account.name': 'robot',
    'kubernetes.io/serviceaccount/service-account.uid': 'uid-of-robot',
  }
  const token = signToken(claims, key)
  const data = { token: Buffer.from(token).toString('base64') }

  it('lives as long as the secret that holds it', () => {
    const { ask, world } = setting()
    throws(() => ask(token), /invalidated/)
    world.put('secrets', 'robot-token', { data })
    equal(ask(token)?.name, 'system:serviceaccount:work:robot')
    world.put('secrets', 'robot-token', { data: { token: 'b3RoZXI=' } })
    throws(() => ask(token), /does not match/)
  })

  it('is for this server alone, and can be marked as invalid', () => {
    const { ask, world } = setting()
    world.put('secrets', 'robot-token', { data })
    throws(() => ask(token, ['vault']), /invalid for the target audiences/)
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' }
    world.put('secrets', 'robot-token', { data, metadata: { name: 'robot-token', labels } })
    throws(() => ask(token), /marked as invalid/)
  })
})

describe('Keys of service accounts', () => {
  it('are read from public keys, private keys and certificates, each once', () => {
    const secret = key.key.export({ type: 'pkcs8', format: 'pem' }).toString()
    equal(
      verifyingKeys([
        { path: 'a', content: secret + pem(key) },
        { path: 'b', content: pem(older) },
      ]).length,
      2,
    )
    throws(() => verifyingKeys([{ path: 'empty', content: '' }]), /no key in empty/)
    throws(
      () => verifyingKeys([{ path: 'bad', content: '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----' }]),
      /bad/,
    )
  })
})
