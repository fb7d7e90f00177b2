import { test } from 'node:test'
import { Job, type JobSpec } from '../../api/batch/v1/job.js'
import { writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'
import { viewOfJobs } from '../job/view.test.kit.js'
import { isActive } from '../pods/readiness.js'

const controllers = ['job-controller', 'ttl-after-finished-controller', 'garbage-collector-controller']

test('a job is removed some time after it has finished, and its pods with it', () =>
  checkTranscript({ of: import.meta.url, name: 'removal' }, { controllers, view: viewOfJobs }, async (stage) => {
    const { client } = stage.cluster
    const jobs = client.resource(Job).in('default')
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work' }] } }
    await stage.step('a job that stays for a minute', () =>
      jobs.create({ metadata: { name: 'j' }, spec: { template, ttlSecondsAfterFinished: 60 } as JobSpec }),
    )
    await stage.advance('1h')
    await stage.step('it succeeds', () => writePodStatuses(stage.cluster, isActive, { phase: 'Succeeded' }))
    await stage.advance('59s')
    await stage.step('somebody wants it to stay longer', () =>
      jobs.patch('j', 'merge', { spec: { ttlSecondsAfterFinished: 90 } }),
    )
    await stage.advance('30s')
    await stage.advance('1s')
  }))
