import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KubeObject } from '../../../api/kube-object.js'
import { environment } from '../../../base/environment.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { tokenUses } from './token-uses.js'

const label = 'kubernetes.io/legacy-token-last-used'

/** A secret whose labels are written down slowly, if at all. */
class SlowSecret {
  labels: Record<string, string> = {}
  readonly written: string[] = []
  fails = false

  find(): KubeObject {
    return { metadata: { labels: this.labels } } as unknown as KubeObject
  }

  async labelSecret(_namespace: string, _name: string, [name, value]: readonly [string, string]): Promise<void> {
    this.written.push(value)
    await Promise.resolve()
    if (this.fails) throw new Error('not now')
    this.labels = { [name]: value }
  }
}

function setting() {
  const clock = new VirtualClock()
  const secret = new SlowSecret()
  const used = tokenUses(secret, environment({ clock }))
  return { clock, secret, use: () => used({ namespace: 'work', name: 'robot-token' }) }
}

describe('the use of a token in a secret', () => {
  test('is written down once a day', async () => {
    const { clock, secret, use } = setting()
    use()
    use()
    await clock.settle()
    use()
    await clock.advance('23h')
    use()
    assert.deepEqual(secret.labels, { [label]: '2026-01-01' })
    await clock.advance('1h')
    use()
    await clock.settle()
    assert.deepEqual(secret.written, ['2026-01-01', '2026-01-02'])
  })

  test('that could not be written down is at the next use', async () => {
    const { clock, secret, use } = setting()
    secret.fails = true
    use()
    await clock.settle()
    secret.fails = false
    use()
    await clock.settle()
    assert.deepEqual(secret.labels, { [label]: '2026-01-01' })
  })
})
