import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { defineController, recordEvents } from '../definition.js'
import { possibleOwners } from '../pods/claiming.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import { combinedController } from '../runtime/loop.js'
import type { Controller } from '../runtime/reconcile.js'
import { Memory } from './memory.js'
import { orphanedPods } from './orphaned-pods.js'
import { reconcileJob } from './reconcile.js'

/** Runs pods until enough of them have succeeded. */
export const definition = defineController({
  name: 'job-controller',
  alias: 'job',
  queue: 'job',
  serviceAccount: 'job-controller',
  rules: [
    'get list patch update watch on jobs of batch',
    'update on jobs/status of batch',
    'update on jobs/finalizers of batch',
    'create delete list patch watch on pods of core',
    recordEvents,
  ],
  create: jobController,
})

function jobController(builder: ControllerBuilder): Controller {
  const memory = new Memory()
  const jobs = builder
    .for(Job)
    .owns(Pod)
    .watches(
      Pod,
      possibleOwners(Job, ({ spec }) => compiledSelector(spec.selector)),
    )
    .workers(5)
    .reconcile((key, context) => reconcileJob(key, context, memory))
  return combinedController('job', [jobs, orphanedPods])
}
