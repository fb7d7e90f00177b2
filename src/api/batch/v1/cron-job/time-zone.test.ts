import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import { validateTimeZone } from './time-zone.js'

const problems = (name: string | undefined) => validateTimeZone(name, fieldPath('zone')).map(String)
const unknown = (name: string) => [`zone: Invalid value: "${name}": unknown time zone ${name}`]

describe('a time zone', () => {
  for (const name of [
    undefined,
    'UTC',
    'Europe/Vienna',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT-14',
    'EST',
    'GB-Eire',
  ])
    test(`may be ${name}`, () => assert.deepEqual(problems(name), []))

  test('may have a name of old, or one that is newer than the engine', () => {
    for (const name of ['Asia/Calcutta', 'Asia/Kolkata', 'US/Pacific']) assert.deepEqual(problems(name), [])
  })

  for (const name of [
    'Mars/Olympus',
    'europe/vienna',
    'EUROPE/VIENNA',
    'utc',
    'PST',
    '+01:00',
    '/UTC',
    'Europe//Paris',
    '..',
  ])
    test(`is not ${name}`, () => assert.deepEqual(problems(name), unknown(name)))

  test('is named, and not that of the machine', () => {
    const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    assert.deepEqual(problems(''), ['zone: Invalid value: "": timeZone must be nil or non-empty string'])
    assert.deepEqual(problems('Local'), [`zone: Invalid value: "Local": ${explicit}`])
    assert.deepEqual(problems('local'), [`zone: Invalid value: "local": ${explicit}`, ...unknown('local')])
  })
})
