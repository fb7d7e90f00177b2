import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ValueError } from '../../schema/value-error.js'
import { decodeContinue, encodeContinue, latest } from './continue-token.js'

const encode = (text: string) => Buffer.from(text).toString('base64url')

describe('a continue token', () => {
  test('is decoded as it was encoded', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1 }),
        fc.stringMatching(/^[a-z0-9.-]{1,20}(\/[a-z0-9:-]{1,20})?$/),
        (revision, path) => {
          fc.pre(path.split('/').every((part) => part !== '.' && part !== '..'))
          assert.deepEqual(decodeContinue(encodeContinue({ revision, after: path })), { revision, after: path })
        },
      ),
    ))

  test('may continue with the current objects', () =>
    assert.deepEqual(decodeContinue(encodeContinue({ revision: latest, after: 'x' })), {
      revision: latest,
      after: 'x',
    }))

  test('is the JSON of upstream in base64', () =>
    assert.equal(
      Buffer.from(encodeContinue({ revision: 5, after: 'b' }), 'base64url').toString(),
      '{"v":"meta.k8s.io/v1","rv":5,"start":"b\\u0000"}',
    ))

  test('that is malformed is rejected with the reason', () => {
    const key = 'continue key is not valid'
    const cases: Readonly<Record<string, string>> = {
      garbage: `${key}: invalid character '\\u0081' looking for beginning of value`,
      'not base64': `${key}: illegal base64 data at input byte 3`,
      abcde: `${key}: illegal base64 data at input byte 4`,
      [encode('')]: `${key}: unexpected end of JSON input`,
      [encode('{')]: `${key}: unexpected end of JSON input`,
      [encode('[]')]: `${key}: json: cannot unmarshal array into Go value of type storage.continueToken`,
      [encode('{"v":1}')]: `${key}: json: cannot unmarshal number into Go struct field continueToken.v of type string`,
      [encode('{"rv":1.5}')]:
        `${key}: json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64`,
      [encode('{}')]: `${key}: server does not recognize this encoded version `,
      [encode('{"v":"v9"}')]: `${key}: server does not recognize this encoded version v9`,
      [encode('{"v":"meta.k8s.io/v1"}')]: `${key}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`,
      [encode('{"v":"meta.k8s.io/v1","rv":5}')]: `${key}: encoded start key empty (version meta.k8s.io/v1)`,
      [encode('{"v":"meta.k8s.io/v1","rv":5,"start":"../x"}')]: `${key}: ../x`,
      [encode('{"v":"meta.k8s.io/v1","rv":5,"start":"a//x"}')]: `${key}: a//x`,
    }
    for (const [token, message] of Object.entries(cases))
      assert.throws(() => decodeContinue(token), new ValueError(message), token)
  })

  test('of any text is decoded or rejected, and never leads out of the collection', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (start) => {
        try {
          const { after } = decodeContinue(encode(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })))
          assert.ok(!after.split('/').includes('..'))
        } catch (error) {
          assert.ok(error instanceof ValueError, String(error))
        }
      }),
    ))
})
