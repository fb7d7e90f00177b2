/** A cluster inside a test suite: a new process each time, as a test file has it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Say } from './figure.js'

const run = promisify(execFile)
const library = new URL('../bundle/library/testing.cjs', import.meta.url).href

/** Tells the milliseconds from before the import until the first object is made, and then of a second cluster. */
const program = `
const begun = performance.now()
const { startCluster } = await import(${JSON.stringify(library)})
const live = async () => {
  const cluster = await startCluster()
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } })
  return cluster
}
const first = await live()
const made = performance.now()
await first.close()
const again = performance.now()
const second = await live()
const madeAgain = performance.now()
await second.close()
console.log(JSON.stringify([made - begun, madeAgain - again]))
`

export async function testingFigures(say: Say): Promise<void> {
  const rounds: [number, number][] = []
  // The first process after a build compiles the code, and keeps it for the others.
  await run(process.execPath, ['--input-type=module', '--eval', program])
  for (let round = 0; round < 9; round++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    rounds.push(JSON.parse(stdout))
  }
  const tell = (name: string, which: 0 | 1, budget?: string) => {
    const sorted = rounds.map((each) => each[which]).sort((one, other) => one - other)
    const note = `best of 9 ${sorted[0]!.toFixed(0)} ms`
    say({ name, value: sorted[4]!, unit: 'ms', note, ...(budget !== undefined && { budget }) })
  }
  tell('testing: import to first create', 0, '≤ 400 ms')
  tell('testing: another cluster, to first create', 1)
}
