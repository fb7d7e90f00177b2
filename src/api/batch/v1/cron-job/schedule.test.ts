import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CalendarSchedule, parseSchedule } from './schedule.js'

const calendar = (text: string) => parseSchedule(text) as CalendarSchedule
const values = (text: string, name: keyof Omit<CalendarSchedule, 'timeZone'>) => [...calendar(text)[name].values].join()

describe('a schedule', () => {
  test('has five fields of numbers, ranges, steps and names', () => {
    assert.equal(values('*/15 * * * *', 'minute'), '0,15,30,45')
    assert.equal(values('5/20 * * * *', 'minute'), '5,25,45')
    assert.equal(values('10-40/10,7,8 * * * *', 'minute'), '10,20,30,40,7,8')
    assert.equal(values('0 9-17/4 * * *', 'hour'), '9,13,17')
    assert.equal(values('0 0 ? JAN-mar *', 'month'), '1,2,3')
    assert.equal(values('0 0 * * Mon-Fri', 'dayOfWeek'), '1,2,3,4,5')
    assert.equal(values('  0\t0 1,15 *   * ', 'dayOfMonth'), '1,15')
  })

  test('knows whether the day was left open, which decides how the two fields for days go together', () => {
    assert.deepEqual([calendar('0 0 * * 1').dayOfMonth.open, calendar('0 0 * * 1').dayOfWeek.open], [true, false])
    assert.equal(calendar('0 0 */2 * *').dayOfMonth.open, false)
    assert.equal(calendar('0 0 1,* * *').dayOfMonth.open, true)
  })

  test('can be a word or a length of time', () => {
    for (const [word, fields] of [
      ['@yearly', '0 0 1 1 *'],
      ['@monthly', '0 0 1 * *'],
      ['@weekly', '0 0 * * 0'],
      ['@midnight', '0 0 * * *'],
      ['@hourly', '0 * * * *'],
    ] as const)
      assert.deepEqual(parseSchedule(word), parseSchedule(fields))
    assert.deepEqual(parseSchedule('@every 1h30m'), { every: 5_400_000_000_000n })
  })

  test('of old can have a time zone', () => {
    assert.equal(calendar('CRON_TZ=Europe/Vienna 0 6 * * *').timeZone, 'Europe/Vienna')
    assert.deepEqual(parseSchedule('TZ=UTC @daily'), { ...parseSchedule('@daily'), timeZone: 'UTC' })
  })

  for (const [text, message] of [
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['30-10 * * * *', 'beginning of range (30) beyond end of range (10): 30-10'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/1/2 * * * *', 'too many slashes: */1/2'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['-1 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['   ', 'expected exactly 5 fields, found 0: []'],
    ['', 'empty spec string'],
    ['@fortnightly', 'unrecognized descriptor: @fortnightly'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
    ['TZ=Mars/Base 0 0 * * *', 'provided bad location Mars/Base: unknown time zone Mars/Base'],
  ] as const)
    test(`"${text}" is none`, () => assert.throws(() => parseSchedule(text), { name: 'ValueError', message }))
})
