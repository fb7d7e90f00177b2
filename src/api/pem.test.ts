import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pemBlocks } from './pem.js'

const block = (type: string, body = 'YWJj') => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`

describe('PEM', () => {
  it('has blocks with any text between them', () => {
    const blocks = pemBlocks(`hello\n${block('A')}in between\n${block('B', 'ZGVm')}`)
    assert.deepEqual(
      blocks.map(({ type, bytes }) => [type, bytes.toString()]),
      [
        ['A', 'abc'],
        ['B', 'def'],
      ],
    )
    assert.equal(pemBlocks(block('A') + block('A')).length, 2)
  })

  it('may have headers', () => {
    const [read] = pemBlocks(block('A', 'Proc-Type: 4,ENCRYPTED\n\nYWJj'))
    assert.deepEqual([read!.hasHeaders, read!.bytes.toString()], [true, 'abc'])
    assert.equal(pemBlocks(block('A'))[0]!.hasHeaders, false)
  })

  it('skips malformed blocks', () => {
    assert.deepEqual(pemBlocks('nothing at all'), [])
    assert.deepEqual(pemBlocks('-----BEGIN A-----\nYWJj\n'), [])
    assert.deepEqual(pemBlocks('x -----BEGIN A-----\nYWJj\n-----END A-----\n'), [])
    const good = pemBlocks(`${block('A', '!!!')}${block('B')}`)
    assert.deepEqual(
      good.map(({ type }) => type),
      ['B'],
    )
  })
})
