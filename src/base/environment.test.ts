import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.js'
import { environment } from './environment.js'
import { VirtualClock } from './virtual-clock.js'

test('an environment has the real clock, random and so on, except for what is given', () => {
  const clock = new VirtualClock()
  assert.equal(environment().clock, systemClock)
  assert.equal(environment({ clock }).clock, clock)
})

test('two environments share neither metrics nor listeners', () => {
  const [one, other] = [environment(), environment()]
  assert.notEqual(one.metrics, other.metrics)
  one.tracer.subscribe(() => {})
  assert.equal(other.tracer.active, false)
})
