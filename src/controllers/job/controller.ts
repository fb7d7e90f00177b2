import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { defineController, recordEvents } from '../definition.js'
import { possibleOwners } from '../pods/claiming.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ControllerBuilder } from '../runtime/builder.js'
import { combinedController } from '../runtime/loop.js'
import type { Controller } from '../runtime/reconcile.js'
import { actorOf } from './act.js'
import { decide } from './decide.js'
import { FailureHistory } from './failure-history.js'
import { observerOf } from './observe.js'
import { orphanedPods } from './orphaned-pods.js'

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
  const history = new FailureHistory()
  const jobs = builder
    .for(Job)
    .owns(Pod)
    .watches(
      Pod,
      possibleOwners(Job, ({ spec }) => compiledSelector(spec.selector)),
    )
    .workers(5)
    .reconcile({ observe: observerOf(history), decide, act: actorOf(history) })
  return combinedController('job', [jobs, orphanedPods])
}
