import { strictEqual as equal, match, ok, throws } from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { algorithmNamed, algorithmNames, fits } from '../../../wire/jwt/algorithms.js'
import { decodeBase64url, encodeJson } from '../../../wire/jwt/base64url.js'
import { keyId, type SigningKey, signingKey, signToken } from '../../../wire/jwt/sign.js'
import { keySet, readKeySet } from './jwk.js'
import { registeredClaims, tokenTimeError } from './registered-claims.js'
import { looksSigned, parseToken, TokenError } from './signed-token.js'
import { type VerifyingKey, verifySignature } from './verify.js'

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const p256 = ec('P-256')

function keyFor(name: string): SigningKey {
  const key = curves[name] === undefined ? rsa : ec(curves[name])
  return { id: 'k', key, algorithm: algorithmNamed(name)! }
}

function verifying(key: KeyObject, parts: Partial<VerifyingKey> = {}): VerifyingKey {
  const publicKey = createPublicKey(key)
  return { id: keyId(publicKey), key: publicKey, ...parts }
}

const refused = (token: string, keys: readonly VerifyingKey[], accepted?: readonly string[]) =>
  throws(() => verifySignature(parseToken(token), keys, accepted), TokenError)

describe('A JSON web token', () => {
  for (const name of algorithmNames)
    it(`signed by ${name} is verified by its own key, and is refused once a bit of it has changed`, () => {
      const key = keyFor(name)
      const token = signToken({ sub: 'jane' }, key)
      const keys = [{ id: 'k', key: createPublicKey(key.key) }]
      verifySignature(parseToken(token), keys)
      const [head = '', , tail = ''] = token.split('.')
      refused(`${head}.${encodeJson({ sub: 'john' })}.${tail}`, keys)
      refused(signToken({ sub: 'jane' }, { ...keyFor(name), key: curves[name] ? ec(curves[name]) : other }), keys)
    })

  it('without a signature is none', () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${encodeJson({ alg })}.${encodeJson({ sub: 'jane' })}`
      throws(() => parseToken(`${unsigned}.`), TokenError)
      refused(`${unsigned}.AAAA`, [verifying(rsa)])
    }
  })

  it('signed by a public key as if it were a shared secret is rejected', () => {
    const head = `${encodeJson({ alg: 'HS256' })}.${encodeJson({ sub: 'jane' })}`
    const secret = createPublicKey(rsa).export({ type: 'spki', format: 'pem' })
    const signature = createHmac('sha256', secret).update(head).digest('base64url')
    refused(`${head}.${signature}`, [verifying(rsa)])
  })

  it('whose algorithm is for another type of key, or curve, is rejected', () => {
    const confused = (algorithm: string, key: KeyObject) => {
      const token = signToken({ sub: 'jane' }, signingKey(key))
      const [, body, tail] = token.split('.')
      return `${encodeJson({ alg: algorithm })}.${body}.${tail}`
    }
    refused(confused('ES256', rsa), [verifying(rsa)])
    refused(confused('RS256', p256), [verifying(p256)])
    refused(confused('PS256', rsa), [verifying(rsa)])
    refused(confused('ES384', p256), [verifying(p256)])
  })

  it('is rejected where the algorithm is not accepted, or the key is for another one', () => {
    const token = signToken({ sub: 'jane' }, { id: '', key: rsa, algorithm: algorithmNamed('RS512')! })
    verifySignature(parseToken(token), [verifying(rsa)])
    refused(token, [verifying(rsa)], ['RS256'])
    refused(token, [verifying(rsa, { algorithm: 'RS256' })])
  })

  it('that names a known key is not tried with others', () => {
    const named = signToken({}, { id: 'first', key: other, algorithm: algorithmNamed('RS256')! })
    refused(named, [verifying(rsa, { id: 'first' }), verifying(other, { id: 'second' })])
    const unknown = signToken({}, { id: 'third', key: other, algorithm: algorithmNamed('RS256')! })
    verifySignature(parseToken(unknown), [verifying(rsa, { id: 'first' }), verifying(other, { id: 'second' })])
  })

  it('is not accepted in any other spelling, and what is thrown holds nothing of it', () => {
    const token = signToken({ sub: 'jane-doe' }, signingKey(p256))
    const [head = '', body = '', tail = ''] = token.split('.')
    const spellings = [
      `${head}.${body}.${tail}=`,
      `${head}.${body}.${tail}.`,
      `${head}.${body}`,
      ` ${token}`,
      `${head}.${body}.${tail}\n`,
      `${head}..${tail}`,
      `${head}.${Buffer.from('{"sub":').toString('base64url')}.${tail}`,
      `${head}.${Buffer.from('[]').toString('base64url')}.${tail}`,
      `${encodeJson({ alg: 'ES256', crit: ['b64'], b64: false })}.${body}.${tail}`,
      `${head}.${'A'.repeat(70_000)}.${tail}`,
    ]
    for (const spelling of spellings)
      throws(
        () => parseToken(spelling),
        (error: unknown) => error instanceof TokenError && !error.message.includes(body.slice(0, 8)),
      )
  })

  it('is told from other texts by its form alone', () => {
    ok(looksSigned('a.b.c'))
    for (const text of ['abc', 'a.b', '.b.c', 'a.b.c.d', 'abcdef.0123456789abcdef']) ok(!looksSigned(text), text)
  })

  it('never crashes whoever reads it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        try {
          parseToken(text)
        } catch (error) {
          ok(error instanceof TokenError)
        }
      }),
    )
  })
})

describe('Claims', () => {
  const now = 1_700_000_000
  const at = (claims: object) => tokenTimeError(registeredClaims(claims as never), now * 1000)

  it('count from their beginning to their end, give or take a minute', () => {
    equal(at({ exp: now - 59, nbf: now + 59, iat: now + 59 }), undefined)
    equal(at({ exp: now - 61 }), 'has expired')
    equal(at({ nbf: now + 61 }), 'is not valid yet')
    equal(at({ iat: now + 61 }), 'is issued in the future')
  })

  it('of other types make the whole token worthless', () => {
    for (const claims of [
      { exp: '9999999999' },
      { exp: Number.NaN },
      { aud: [1] },
      { aud: {} },
      { iss: 1 },
      { nbf: true },
    ])
      throws(() => registeredClaims(claims as never), /malformed/)
  })

  it('may name one audience or several', () => {
    equal(registeredClaims({ aud: 'a' }).audiences.join(), 'a')
    equal(registeredClaims({ aud: ['a', 'b'] }).audiences.join(), 'a,b')
    equal(registeredClaims({}).audiences.length, 0)
  })
})

describe('Keys', () => {
  it('travel as a published set', () => {
    const keys = [verifying(rsa), verifying(p256)]
    const read = readKeySet(JSON.parse(JSON.stringify(keySet(keys))))
    equal(read.map(({ id }) => id).join(), keys.map(({ id }) => id).join())
    verifySignature(parseToken(signToken({}, signingKey(p256))), read)
    ok(!JSON.stringify(keySet(keys)).includes('"d"'))
  })

  it('for other uses, of other kinds, or malformed are left out of a set', () => {
    const jwk = createPublicKey(rsa).export({ format: 'jwk' })
    const set = {
      keys: [
        { ...jwk, use: 'enc' },
        { kty: 'oct', k: 'c2VjcmV0' },
        { kty: 'EC', crv: 'P-999' },
        { ...jwk, kid: 'good' },
      ],
    }
    equal(
      readKeySet(set)
        .map(({ id }) => id)
        .join(),
      'good',
    )
    throws(() => readKeySet({}), /not a JSON web key set/)
  })

  it('that are too weak sign nothing', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    ok(!fits(algorithmNamed('RS256')!, privateKey))
    throws(() => signingKey(privateKey), /RSA of 2048 bits/)
  })
})

describe('Base64url', () => {
  it('has one spelling for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url')
        ok(decodeBase64url(text)?.equals(bytes))
      }),
    )
    for (const text of ['AB', 'A', 'AA==', 'A+/A', 'AA A', 'AAé']) equal(decodeBase64url(text), undefined, text)
    match(encodeJson({ a: 1 }), /^[\w-]+$/)
  })
})
