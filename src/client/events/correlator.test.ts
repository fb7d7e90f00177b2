import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Correlator } from './correlator.js'
import { EventDrafter } from './draft-event.js'

describe('events about one object', () => {
  test('equal events are counted, each message separately', () => {
    const { tell } = world()
    assert.deepEqual(
      ['a', 'b', 'a', 'a', 'b'].map((message) => tell(message)),
      ['a 1', 'b 1', 'a 2', 'a 3', 'b 2'],
    )
  })

  test('from the tenth message on, events that differ only by their message are combined', async () => {
    const { tell, names } = world()
    const told = Array.from({ length: 12 }, (_, i) => tell(`m${i}`))
    assert.deepEqual(told.slice(8), [
      'm8 1',
      '(combined from similar events): m9 1',
      '(combined from similar events): m10 2',
      '(combined from similar events): m11 3',
    ])
    assert.equal(new Set(names.slice(0, 10)).size, 10)
    assert.equal(new Set(names.slice(9)).size, 1)
  })

  test('events of another reason or type are not combined', () => {
    const { tell } = world()
    for (let i = 0; i < 9; i++) tell(`m${i}`)
    assert.equal(tell('m9', { reason: 'Other' }), 'm9 1')
    assert.equal(tell('m9', { type: 'Warning' }), 'm9 1')
  })

  test('an event more than ten minutes after the last one is not combined', async () => {
    const { tell, clock } = world()
    for (let i = 0; i < 9; i++) tell(`m${i}`)
    await clock.advance('10m1s')
    assert.equal(tell('m9'), 'm9 1')
    for (let i = 10; i < 18; i++) tell(`m${i}`)
    await clock.advance('10m')
    assert.equal(tell('m18'), '(combined from similar events): m18 1')
  })

  test('a burst of 25 is written, then one every five minutes, and all are counted', async () => {
    const { tell, clock } = world()
    for (let i = 1; i <= 25; i++) assert.equal(tell('a'), `a ${i}`)
    assert.equal(tell('a'), undefined)
    assert.equal(tell('a', { name: 'another' }), 'a 1')
    await clock.advance('4m59s')
    assert.equal(tell('a'), undefined)
    await clock.advance('1s')
    assert.equal(tell('a'), 'a 28')
    assert.equal(tell('a'), undefined)
  })
})

function world() {
  const clock = new VirtualClock()
  const drafter = new EventDrafter({ component: 'tester' }, environment({ clock, random: seededRandom(1) }))
  const correlator = new Correlator(clock, (object) => drafter.name(object))
  const names: string[] = []
  const tell = (message: string, { name = 'web', reason = 'Done', type = 'Normal' } = {}) => {
    const about = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid: name } }
    const correlated = correlator.correlate(drafter.draft({ about, type: type as 'Normal', reason, message }))
    if (correlated) names.push(correlated.event.metadata.name)
    return correlated && `${correlated.event.message} ${correlated.event.count}`
  }
  return { clock, tell, names }
}
