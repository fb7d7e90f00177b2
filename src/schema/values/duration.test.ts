import assert from 'node:assert/strict'
import { test } from 'node:test'
import { humanDuration, shortHumanDuration } from './duration.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

test('ages have two or three significant figures', () => {
  const cases: [number, string][] = [
    [0, '0s'],
    [999, '0s'],
    [second, '1s'],
    [119 * second + 999, '119s'],
    [2 * minute, '2m'],
    [2 * minute + second, '2m1s'],
    [5 * minute + 30 * second, '5m30s'],
    [10 * minute - second, '9m59s'],
    [10 * minute, '10m'],
    [10 * minute + 59 * second, '10m'],
    [3 * hour - second, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 12 * minute, '3h12m'],
    [8 * hour - minute, '7h59m'],
    [8 * hour, '8h'],
    [48 * hour - second, '47h'],
    [48 * hour, '2d'],
    [2 * day + 3 * hour + 59 * minute, '2d3h'],
    [8 * day - hour, '7d23h'],
    [8 * day, '8d'],
    [2 * year - hour, '729d'],
    [2 * year, '2y'],
    [5 * year + 12 * day, '5y12d'],
    [8 * year - day, '7y364d'],
    [8 * year, '8y'],
    [100 * year + 99 * day, '100y'],
  ]
  for (const [milliseconds, text] of cases) assert.equal(humanDuration(milliseconds), text)
})

test('less than two seconds in the future is now, more is invalid', () => {
  assert.equal(humanDuration(-1), '0s')
  assert.equal(humanDuration(-1999), '0s')
  assert.equal(humanDuration(-2000), '<invalid>')
  assert.equal(shortHumanDuration(-1999), '0s')
  assert.equal(shortHumanDuration(-2000), '<invalid>')
})

test('short ages have one unit', () => {
  const cases: [number, string][] = [
    [59 * second, '59s'],
    [minute, '1m'],
    [hour - second, '59m'],
    [day - second, '23h'],
    [year - second, '364d'],
    [year, '1y'],
  ]
  for (const [milliseconds, text] of cases) assert.equal(shortHumanDuration(milliseconds), text)
})
