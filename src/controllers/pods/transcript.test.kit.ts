import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { ControllerHarness, type ControllerHarnessOptions } from '../harness.test.kit.js'
import { WorkloadScenario } from './scenario.test.kit.js'

/** Does what a line says, and gives what is to be seen then. */
export type Perform = (line: string) => Promise<readonly string[]>

/**
 * Plays a story that stands in a file: lines that begin with `>` are done, and what follows each must be what is to be seen then. Comments
 * (`#`) and blank lines are for readers. With `GOLDEN_UPDATE=1` the file is rewritten to what is seen.
 */
async function playTranscript(path: string, perform: Perform): Promise<void> {
  const written = readFileSync(path, 'utf8')
  const seen: string[] = []
  for (const line of written.split('\n')) {
    if (line.startsWith('#') || line === '') seen.push(line)
    if (line.startsWith('> ')) seen.push(line, ...(await perform(line.slice(2))))
  }
  const text = seen.join('\n')
  if (process.env.GOLDEN_UPDATE === '1') writeFileSync(path, text)
  else assert.equal(text, written)
}

/** A test for each story in a folder: `rolling-update.transcript.txt`. */
export function testTranscripts(folder: string, options: ControllerHarnessOptions): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.transcript.txt')))
    test(file.replace('.transcript.txt', '').replaceAll('-', ' '), async () => {
      await using harness = await ControllerHarness.begin({ namespace: 'shop', ...options })
      await playTranscript(`${folder}/${file}`, new WorkloadScenario(harness).perform)
    })
}
