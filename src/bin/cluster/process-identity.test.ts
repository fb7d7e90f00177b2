import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { findProgram } from '../../base/programs.js'
import { identityOf, isAlive, observeByPs } from './process-identity.js'

describe('a process', () => {
  test('is alive while it runs', () => {
    assert.equal(isAlive(identityOf(process.pid)), true)
  })

  test('is not another one with the same number', () => {
    assert.equal(isAlive({ ...identityOf(process.pid), begun: 'another time' }), false)
    assert.equal(isAlive({ ...identityOf(process.pid), boot: 'another life of the machine' }), false)
  })

  test('of a record without a boot id, as older versions wrote it, is found', () => {
    const { pid, begun } = identityOf(process.pid)
    assert.equal(isAlive({ pid, begun }), true)
  })

  test('is not alive when nobody has that number', () => {
    assert.equal(isAlive({ ...identityOf(process.pid), pid: 2 ** 22 + 1 }), false)
  })

  test('is dead when it has ended, though its parent has not reaped it', { skip: withoutPs() }, async (context) => {
    // The shell starts a process, becomes one that never waits, and so leaves a zombie.
    const parent = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    context.after(() => parent.kill('SIGKILL'))
    const [chunk] = await once(parent.stdout, 'data')
    const pid = Number(String(chunk))
    const child = identityOf(pid)
    assert.equal(isAlive(child), true)
    process.kill(pid, 'SIGKILL')
    while (!observeByPs(pid)?.state.startsWith('Z')) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(isAlive(child), false)
  })

  test('is seen by ps where there is no /proc', { skip: withoutPs() }, () => {
    const observed = observeByPs(process.pid)
    assert.match(observed?.state ?? '', /^[RSD]/)
    assert.match(observed?.begun ?? '', /\d{4}$/)
    assert.deepEqual(observeByPs(process.pid)?.begun, observed?.begun)
    assert.equal(observeByPs(2 ** 22 + 1), undefined)
  })
})

function withoutPs(): string | false {
  return findProgram('ps') === undefined && 'there is no ps'
}
