import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { environment } from '../../../base/environment.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { FileUsageHistory } from './file-usage-history.js'

const timestamp = '2026-01-01T00:00:00Z'

function line(cpu: string, image = 'app:1'): string {
  return `${JSON.stringify({ timestamp, namespace: 'here', image, usage: { cpu, memory: '1Mi' } })}\n`
}

function open(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'proa-history-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'usage.jsonl')
  const clock = new VirtualClock({ start: Date.parse(timestamp) + 1000 })
  const warned: string[] = []
  const log = {
    ...environment().log,
    warn: (message: string, fields?: object) => warned.push(`${message} ${JSON.stringify(fields)}`),
  }
  const history = new FileUsageHistory(file, environment({ clock, log }))
  const ask = () => history.usage({ resource: 'cpu', image: 'app:1', isExact: true, since: 0, percentile: 100 })
  return { file, clock, warned, ask }
}

test('what is appended to a usage history is read after a while', async (context) => {
  const { file, clock, ask } = open(context)
  writeFileSync(file, line('10m'))
  assert.deepEqual(await ask(), { samples: 1, usage: 10 })
  appendFileSync(file, line('20m'))
  assert.deepEqual(await ask(), { samples: 1, usage: 10 })
  await clock.advance(10_000)
  assert.deepEqual(await ask(), { samples: 2, usage: 20 })
})

test('a line of which the end is yet to come is read when it is there', async (context) => {
  const { file, clock, ask, warned } = open(context)
  const text = line('10m')
  writeFileSync(file, text.slice(0, 20))
  assert.deepEqual(await ask(), { samples: 0, usage: 0 })
  appendFileSync(file, text.slice(20))
  await clock.advance(10_000)
  assert.deepEqual(await ask(), { samples: 1, usage: 10 })
  assert.deepEqual(warned, [])
})

test('a usage history that was replaced or cut is read anew', async (context) => {
  const { file, clock, ask } = open(context)
  writeFileSync(file, line('10m') + line('20m'))
  assert.equal((await ask()).samples, 2)
  writeFileSync(`${file}.new`, line('30m') + line('30m') + line('30m'))
  renameSync(`${file}.new`, file)
  await clock.advance(10_000)
  assert.deepEqual(await ask(), { samples: 3, usage: 30 })
  writeFileSync(file, line('40m'))
  await clock.advance(10_000)
  assert.deepEqual(await ask(), { samples: 1, usage: 40 })
})

test('lines that cannot be read are told and left out', async (context) => {
  const { file, ask, warned } = open(context)
  const wrong = ['nonsense', '{}', line('ten').trim(), line('-1').trim(), 'null']
  writeFileSync(file, `${wrong.join('\n')}\n\n${line('10m')}`)
  assert.deepEqual(await ask(), { samples: 1, usage: 10 })
  assert.equal(warned.length, wrong.length)
})

test('many who ask at once wait for one reading', async (context) => {
  const { file, ask } = open(context)
  writeFileSync(file, line('10m').repeat(50_000))
  const answers = await Promise.all([ask(), ask(), ask()])
  assert.deepEqual(answers, Array(3).fill({ samples: 10_000, usage: 10 }))
})

test('a history that is not there is an error', async (context) => {
  await assert.rejects(open(context).ask(), { code: 'ENOENT' })
})
