import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TraceStep, tracer } from './tracing.js'

const step = (stage: string): TraceStep => ({ at: 0, took: 1, component: 'test', stage, decision: 'done' })

test('a listener gets the steps while it is subscribed, in order', () => {
  const traces = tracer()
  const seen: string[] = []
  traces.report(step('before'))
  const unsubscribe = traces.subscribe(({ stage }) => seen.push(stage))
  traces.report(step('first'))
  traces.report(step('second'))
  unsubscribe()
  unsubscribe()
  traces.report(step('after'))
  assert.deepEqual(seen, ['first', 'second'])
})

test('a tracer is active while there is a listener', () => {
  const traces = tracer()
  assert.equal(traces.active, false)
  const unsubscribe = [traces.subscribe(() => {}), traces.subscribe(() => {})]
  unsubscribe[0]?.()
  assert.equal(traces.active, true)
  unsubscribe[1]?.()
  assert.equal(traces.active, false)
})

test('a listener that is subscribed twice gets each step twice, and unsubscribes one at a time', () => {
  const traces = tracer()
  let heard = 0
  const listener = () => {
    heard++
  }
  const unsubscribe = traces.subscribe(listener)
  traces.subscribe(listener)
  traces.report(step('one'))
  unsubscribe()
  traces.report(step('two'))
  assert.equal(heard, 3)
})

test('a listener that another one unsubscribes gets no more steps', () => {
  const traces = tracer()
  const leave: (() => void)[] = []
  traces.subscribe(() => {
    for (const unsubscribe of leave) unsubscribe()
  })
  leave.push(traces.subscribe(() => assert.fail('heard after it was unsubscribed')))
  traces.report(step('one'))
})
