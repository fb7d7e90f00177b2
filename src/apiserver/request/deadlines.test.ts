import { strictEqual as equal, rejects } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Deadlines } from './deadlines.js'
import type { RequestContext } from './request-context.js'
import { requestInfo } from './request-info.js'

function startDeadlines() {
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
  it('ends a request that takes too long, with 504', async () => {
    const { clock, within } = startDeadlines()
    const slow = within('/api/v1/nodes')
    await clock.advance('59s')
    equal(slow.state(), 'open')
    await clock.advance('2s')
    await rejects(slow.settled, {
      code: 504,
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    })
  })

  it('does not change the result of a request that ends in time', async () => {
    const { clock, within } = startDeadlines()
    await within('/api/v1/nodes', Promise.resolve()).settled
    await rejects(within('/api/v1/nodes', Promise.reject(new Error('no'))).settled, /no/)
    await clock.advance('2m')
  })

  it('is shorter if the client requests it, but never longer', async () => {
    const { clock, within } = startDeadlines()
    const sooner = within('/api/v1/nodes', undefined, 'timeout=5s')
    const later = within('/api/v1/nodes', undefined, 'timeout=5m')
    await clock.advance('6s')
    equal(sooner.state(), 'failed')
    equal(later.state(), 'open')
    await clock.advance('55s')
    equal(later.state(), 'failed')
  })

  it('does not apply to watches and streams', async () => {
    const { clock, within } = startDeadlines()
    const watch = within('/api/v1/nodes', undefined, 'watch=1')
    const log = within('/api/v1/namespaces/a/pods/b/log')
    await clock.advance('1h')
    equal(watch.state(), 'open')
    equal(log.state(), 'open')
  })

  it('is on the monotonic clock: a wall clock that jumps does not move it', () => {
    const clock = new VirtualClock()
    const { stage } = new Deadlines(clock, 60_000)
    const query = new URLSearchParams()
    const context = {
      info: requestInfo('GET', '/api/v1/nodes', query),
      request: { query },
      received: clock.now() - 3_600_000, // the wall clock was set forward by an hour since
      began: clock.monotonic(),
    } as unknown as RequestContext
    stage.run(context)
    equal(context.deadline, clock.monotonic() + 60_000)
  })
})
