import type { ClusterScenario, ResponseBody } from '../scenario.js'
import { job, podFields, untilCount, workloadImage } from './workload-manifests.js'

/** Work that ends, and work that comes again. */
export const jobs: readonly ClusterScenario[] = [
  {
    name: 'job: succeeds',
    needs: 'controllers',
    steps: [
      { apply: job('j', { completions: 2, parallelism: 1 }) },
      { until: 'first pod', get: 'jobs/j', where: ({ status }) => status.active === 1 },
      {
        record: 'first pod',
        get: ['jobs/j', 'pods'],
        pick: [
          ...podFields,
          'status.active',
          'status.ready',
          'status.terminating',
          'status.uncountedTerminatedPods',
          'spec.selector',
          'spec.template.metadata',
        ],
      },
      { podStatus: '', phase: 'Succeeded', count: 1 },
      { until: 'one done', get: 'jobs/j', where: ({ status }) => status.succeeded === 1 && status.active === 1 },
      { podStatus: '', phase: 'Succeeded', count: 1 },
      {
        until: 'complete',
        get: 'jobs/j',
        where: ({ status }) => status.conditions?.some(({ type }: ResponseBody) => type === 'Complete'),
      },
      { record: 'complete', get: 'jobs/j' },
      { record: 'pods', get: 'pods', pick: podFields },
      { record: 'events', events: true },
      { record: 'table', get: 'jobs', table: true },
    ],
  },
  {
    name: 'job: fails over its backoff limit',
    needs: 'controllers',
    steps: [
      { apply: job('j', { backoffLimit: 1 }) },
      { podStatus: '', phase: 'Failed', exit: 1, count: 1 },
      {
        until: 'retried',
        get: 'jobs/j',
        where: ({ status }) => status.failed === 1 && status.active === 1,
        timeout: 40,
      },
      { podStatus: '', phase: 'Failed', exit: 1, count: 1 },
      {
        until: 'failed',
        get: 'jobs/j',
        where: ({ status }) => status.conditions?.some(({ type }: ResponseBody) => type === 'Failed'),
        timeout: 40,
      },
      { record: 'failed', get: 'jobs/j' },
      { record: 'events', events: true },
      { record: 'table', get: 'jobs', table: true },
    ],
  },
  {
    name: 'job: indexed',
    needs: 'controllers',
    steps: [
      { apply: job('j', { completionMode: 'Indexed', completions: 3, parallelism: 3 }) },
      { until: 'three pods', get: 'jobs/j', where: ({ status }) => status.active === 3 },
      { record: 'pods', get: 'pods', pick: [...podFields, 'spec.containers'] },
      { podStatus: 'batch.kubernetes.io/job-completion-index in (0,2)', phase: 'Succeeded', count: 2 },
      { until: 'two done', get: 'jobs/j', where: ({ status }) => status.succeeded === 2 },
      { record: 'two done', get: 'jobs/j' },
      { podStatus: '', phase: 'Succeeded', count: 1 },
      {
        until: 'complete',
        get: 'jobs/j',
        where: ({ status }) => status.conditions?.some(({ type }: ResponseBody) => type === 'Complete'),
      },
      { record: 'complete', get: 'jobs/j' },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'job: suspended and resumed',
    needs: 'controllers',
    steps: [
      { apply: job('j', { parallelism: 2, completions: 2, suspend: true }) },
      { until: 'suspended', get: 'jobs/j', where: ({ status }) => status.conditions?.length },
      { record: 'created suspended', get: ['jobs/j', 'pods'] },
      { patch: 'jobs/j', body: { spec: { suspend: false } } },
      { until: 'running', get: 'jobs/j', where: ({ status }) => status.active === 2 && status.startTime },
      { record: 'resumed', get: 'jobs/j' },
      { patch: 'jobs/j', body: { spec: { suspend: true } } },
      { until: 'no pods', get: 'pods', where: untilCount(0) },
      {
        until: 'suspended again',
        get: 'jobs/j',
        where: ({ status }) =>
          status.conditions.some(({ type, status }: ResponseBody) => type === 'Suspended' && status === 'True') &&
          !status.active,
      },
      { record: 'suspended again', get: 'jobs/j' },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'job: removed after its time to live',
    needs: 'controllers',
    steps: [
      { apply: job('j', { ttlSecondsAfterFinished: 1 }) },
      { podStatus: '', phase: 'Succeeded', count: 1 },
      { until: 'gone', get: 'jobs/j', where: ({ code }) => code === 404 },
      { until: 'pods gone', get: 'pods', where: untilCount(0) },
      { record: 'nothing left', get: ['jobs/j', 'pods'] },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'cron job: suspended, then every minute',
    needs: 'controllers',
    steps: [
      {
        apply: {
          kind: 'CronJob',
          metadata: { name: 'cj' },
          spec: {
            schedule: '*/1 * * * *',
            timeZone: 'Etc/UTC',
            suspend: true,
            successfulJobsHistoryLimit: 0,
            jobTemplate: {
              metadata: { labels: { l: 'm' } },
              spec: {
                template: {
                  metadata: { labels: { p: 'q' } },
                  spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: workloadImage }] },
                },
              },
            },
          },
        },
      },
      { record: 'suspended', get: ['cronjobs/cj', 'jobs'] },
      { patch: 'cronjobs/cj', body: { spec: { suspend: false } } },
      { until: 'a job', get: 'jobs', where: untilCount(1), timeout: 75 },
      { until: 'listed', get: 'cronjobs/cj', where: ({ status }) => status.active?.length === 1 },
      {
        record: 'active',
        get: ['cronjobs/cj', 'jobs', 'pods'],
        pick: [
          'metadata.name',
          'metadata.labels',
          'metadata.annotations',
          'metadata.ownerReferences',
          'status.active',
          'status.lastScheduleTime',
        ],
        now: true,
      },
      { podStatus: 'p=q', phase: 'Succeeded', count: 1 },
      { until: 'cleaned', get: 'jobs', where: untilCount(0) },
      { record: 'no history kept', get: ['cronjobs/cj', 'jobs'], pick: ['metadata.name', 'status'], now: true },
      // whether the end of the job is told depends on whether it is seen before the job is removed
      { record: 'events', events: ({ reason }) => !['SawCompletedJob', 'MissingJob'].includes(reason), now: true },
      { record: 'table', get: 'cronjobs', table: true, now: true },
    ],
  },
]
