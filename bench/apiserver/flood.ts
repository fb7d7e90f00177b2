/** One user sends as many requests as many connections carry. Measures how long another user waits meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReportFigure } from '../figure.js'
import type { WorkerLoad } from './load-generator.js'
import { configMap, namespace, namespaceObject } from './objects.js'
import { send, sendSuccessfully, startApiServer } from './server-process.js'

const seconds = 8
const connections = 200
const tokens = ['flood-token,flood,1,"staff"', 'jane-token,jane,2,"staff"']
const inside = `/api/v1/namespaces/${namespace}`

export async function floodFigures(report: ReportFigure): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-bench-'))
  const server = await startApiServer(folder, tokens)
  try {
    await prepare(server.url)
    const alone = await waits(server.url, 2000)
    const flooding = flood(server.url)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const under = await waits(server.url, (seconds - 2) * 1000)
    const { requests, refused } = await flooding
    const note = `alone ${alone.p99.toFixed(1)} ms; the flood made ${Math.round(requests / seconds)} requests/s on ${connections} connections, ${refused} were refused`
    report({ name: 'flood: another user waits, p99', value: under.p99, unit: 'ms', budget: '≤ 100 ms', note })
    report({ name: 'flood: another user waits, median', value: under.median, unit: 'ms' })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

async function prepare(url: string): Promise<void> {
  const post = (path: string, content: object) => sendSuccessfully(url, { method: 'POST', path, content })
  await post('/api/v1/namespaces', namespaceObject())
  for (let index = 0; index < 100; index++) await post(`${inside}/configmaps`, configMap(`cm-${index}`))
  await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'staff' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'staff' }],
  })
}

/** Measures sequential gets of one user, in milliseconds. */
async function waits(url: string, duration: number): Promise<{ readonly p99: number; readonly median: number }> {
  const times: number[] = []
  for (const end = performance.now() + duration; performance.now() < end; ) {
    const begun = performance.now()
    const { code } = await send(url, { path: `${inside}/configmaps/cm-7`, as: 'jane-token' })
    if (code !== 200) throw new Error(`a get was answered with ${code}`)
    times.push(performance.now() - begun)
  }
  times.sort((left, right) => left - right)
  return { p99: times[Math.floor(times.length * 0.99)]!, median: times[Math.floor(times.length / 2)]! }
}

function flood(url: string): Promise<{ readonly requests: number; readonly refused: number }> {
  const body = JSON.stringify({ metadata: { name: 'flood-@' }, data: { k: 'v' } })
  const workerData: WorkerLoad = {
    url,
    method: 'POST',
    path: `${inside}/configmaps`,
    body,
    connections,
    seconds,
    firstNumber: 0,
    as: 'flood-token',
  }
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData })
    worker.once('message', resolve).once('error', reject)
  })
}
