/** Compares our kubectl with the original, on one server. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startCluster } from '../src/testing/start-cluster.js'
import type { ReportFigure } from './figure.js'

const program = fileURLToPath(new URL('../../proa', import.meta.url))
const rounds = 21

export async function kubectlFigures(report: ReportFigure): Promise<void> {
  await using cluster = await startCluster({ nodes: 0 })
  const { kubeconfig } = cluster
  const pod = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  })
  await cluster.apply(...Array.from({ length: 20 }, (_, number) => pod(`web-${number}`)))
  const line = ['get', 'pods', '--kubeconfig', kubeconfig]
  // Asynchronous child processes, because the server runs in this process.
  const programs = { ours: [program], original: ['kubectl'], 'Node itself': [process.execPath] }
  const times: Record<string, number[]> = { ours: [], original: [], 'Node itself': [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, [command, ...args]] of Object.entries(programs))
      times[name]!.push(await timed(command!, name === 'Node itself' ? ['--eval', '0'] : [...args, ...line]))
  const best = (name: string) => Math.min(...times[name]!)
  const median = (name: string) => times[name]!.sort((one, other) => one - other)[rounds >> 1]!
  const note = `the original ${median('original').toFixed(0)} ms, Node itself ${median('Node itself').toFixed(0)} ms; best ${best('ours').toFixed(0)}, ${best('original').toFixed(0)} and ${best('Node itself').toFixed(0)} ms`
  report({ name: 'kubectl: get pods', value: median('ours'), unit: 'ms', budget: '≤ the original', note })
}

function timed(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const child = spawn(command, args, { stdio: 'ignore' })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - begun)
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
    })
  })
}
