/** npm run fuzz [count [seed]]: sends that many hostile requests to a server. To repeat one failure, use a count of 1 and its seed. */
import { runFuzzCampaign } from '../src/testing/fuzz/campaign.js'
import { hostileRequest } from '../src/testing/fuzz/hostile-request.js'

const [count = '100000', seed = String(Math.floor(Math.random() * 1e9))] = process.argv.slice(2)
console.log(`${count} requests, the first with seed ${seed}`)
if (count === '1') {
  const { body, ...request } = hostileRequest(Number(seed))
  console.log({ ...request, body: body.toString() })
}
const begun = performance.now()
let told = 0
const { sent, results, faults, stored, memory } = await runFuzzCampaign({
  count: Number(count),
  seed: Number(seed),
  most: 20 * 60_000,
  report(n) {
    if (n < told + 10_000) return
    told = n
    console.log(`${n} requests, ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  },
})
console.log(`${sent} requests in ${((performance.now() - begun) / 1000).toFixed(0)} s`, results)
console.log(
  `${stored} objects came to be; live memory ${memory.map((megabytes) => megabytes.toFixed(1)).join(' → ')} MB`,
)
for (const fault of faults.slice(0, 200)) console.log(fault)
console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
