import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deployment } from 'proa/api/apps/v1/deployment'
import { Job } from 'proa/api/batch/v1/job'
import { startCluster } from 'proa/testing'

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
`

const chore = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'chore' },
  spec: {
    activeDeadlineSeconds: 600,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'chore', image: 'busybox' }] } },
  },
}

test('a deployment gets its pods, and they run', async () => {
  await using cluster = await startCluster()
  await cluster.apply(web)
  const { status } = await cluster.waitFor(Deployment, 'web', ({ status }) => status?.availableReplicas === 3)
  assert.equal(status?.conditions?.find(({ type }) => type === 'Available')?.status, 'True')
})

test('a job that takes too long is given up, after ten minutes that pass at once', async () => {
  await using cluster = await startCluster({ clock: 'virtual' })
  await cluster.apply(chore)
  await cluster.waitFor(Job, 'chore', (job) => job.status?.active === 1)
  await cluster.advance('10m')
  const { status } = await cluster.waitFor(Job, 'chore', (job) => job.status?.failed === 1)
  assert.equal(status?.conditions?.find(({ type }) => type === 'Failed')?.reason, 'DeadlineExceeded')
})
