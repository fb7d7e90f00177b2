/** npm run load [seconds]: 16 writers, 50 watchers and lists for that long, with a SIGKILL and a SIGTERM in the middle. */
import { runLoad } from '../src/testing/load/load-run.js'

const [seconds = '60'] = process.argv.slice(2)
const ends = ['SIGKILL', 'SIGTERM'] as const
const result = await runLoad({ writers: 16, watchers: 50, ends, between: (Number(seconds) * 1000) / 3 })
const { acknowledged, unacknowledged, events, snapshots, resumed, cleanEnds, faults } = result
console.log(
  `${acknowledged} writes were acknowledged, ${unacknowledged} got no response; ${events} events were seen and ${snapshots} lists read`,
)
console.log(`watchers resumed ${resumed} times, ${cleanEnds} of them after a clean end`)
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(faults.length === 0 ? 'no event was lost, repeated or incomplete' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
