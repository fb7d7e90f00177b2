import { strictEqual as equal, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Deadlines } from './deadlines.js'
import type { RequestContext } from './request-context.js'
import { requestInfo } from './request-info.js'

function setting() {
  const clock = new VirtualClock()
  const deadlines = new Deadlines(clock, 60_000)
  const within = (path: string, work: Promise<void> = new Promise(() => {}), search = '') => {
    const query = new URLSearchParams(search)
    const context = { info: requestInfo('GET', path, query), request: { query } } as unknown as RequestContext
    let state = 'open'
    const settled = deadlines.within(work, context)
    settled.then(
      () => {
        state = 'done'
      },
      () => {
        state = 'failed'
      },
    )
    return { settled, state: () => state }
  }
  return { clock, within }
}

describe('A deadline', () => {
  it('ends what takes too long, with 504', async () => {
    const { clock, within } = setting()
    const slow = within('/api/v1/nodes')
    await clock.advance('59s')
    equal(slow.state(), 'open')
    await clock.advance('2s')
    await rejects(slow.settled, {
      code: 504,
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    })
  })

  it('leaves what is done, and what fails, as it is', async () => {
    const { clock, within } = setting()
    await within('/api/v1/nodes', Promise.resolve()).settled
    await rejects(within('/api/v1/nodes', Promise.reject(new Error('no'))).settled, /no/)
    await clock.advance('2m')
  })

  it('may be sooner for a client that asks for it, but not later', async () => {
    const { clock, within } = setting()
    const sooner = within('/api/v1/nodes', undefined, 'timeout=5s')
    const later = within('/api/v1/nodes', undefined, 'timeout=5m')
    await clock.advance('6s')
    equal(sooner.state(), 'failed')
    equal(later.state(), 'open')
    await clock.advance('55s')
    equal(later.state(), 'failed')
  })

  it('does not concern watches and connections', async () => {
    const { clock, within } = setting()
    const watch = within('/api/v1/nodes', undefined, 'watch=1')
    const log = within('/api/v1/namespaces/a/pods/b/log')
    await clock.advance('1h')
    equal(watch.state(), 'open')
    equal(log.state(), 'open')
  })
})
