/** npm run crash [kills [seed]]: kills a writer of the embedded store at random moments, and checks all data after each kill. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWriterRepeatedly } from '../src/testing/storage/crash/kills.js'

const [kills = '100', seed = String(Math.floor(Math.random() * 1e6))] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'proa-crash-'))
console.log(`${kills} kills, seed ${seed}`)
let acknowledged = 0
let unsaid = 0
let lost = 0
let duringCompaction = 0
await killWriterRepeatedly({
  directory,
  kills: Number(kills),
  seed: Number(seed),
  report(trial) {
    acknowledged += trial.acknowledged
    unsaid += trial.unsaid
    lost += trial.lost
    if (trial.duringCompaction) duringCompaction++
    if (trial.kill % 10 === 0)
      console.log(`${trial.kill} kills: at revision ${trial.revision}, kept from ${trial.oldest}`)
  },
})
rmSync(directory, { recursive: true })
console.log(`${kills} kills, ${duringCompaction} of them during a compaction; all checks passed:`)
console.log(`${acknowledged} acknowledged transactions are present,`)
console.log(`${unsaid} committed but not yet acknowledged ones are completely present, ${lost} are completely absent`)
