/** A cluster in a test suite: a new process each time, as for a test file. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ReportFigure } from './figure.js'

const run = promisify(execFile)
const library = new URL('../bundle/library/testing.cjs', import.meta.url).href

/** Prints milliseconds: from before the import to the first created object, the same for a second cluster, and for an idle virtual hour. */
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
const idle = await startCluster({ clock: 'virtual' })
await idle.advance('1h')
const idleFrom = performance.now()
await idle.advance('4h')
const idleHour = (performance.now() - idleFrom) / 4
await idle.close()
console.log(JSON.stringify([made - begun, madeAgain - again, idleHour]))
`

export async function testingFigures(report: ReportFigure): Promise<void> {
  const rounds: [number, number, number][] = []
  // The first process after a build compiles the code and saves it for the others.
  await run(process.execPath, ['--input-type=module', '--eval', program])
  for (let round = 0; round < 9; round++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    rounds.push(JSON.parse(stdout))
  }
  const tell = (name: string, which: 0 | 1 | 2, budget?: string) => {
    const sorted = rounds.map((each) => each[which]).sort((one, other) => one - other)
    const note = `best of 9 ${sorted[0]!.toFixed(0)} ms`
    report({ name, value: sorted[4]!, unit: 'ms', note, ...(budget !== undefined && { budget }) })
  }
  tell('testing: import to first create', 0, '≤ 400 ms')
  tell('testing: another cluster, to first create', 1)
  tell('testing: an hour of an idle cluster on a virtual clock', 2, '≤ 100 ms')
}
