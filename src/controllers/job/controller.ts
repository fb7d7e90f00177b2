import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { concernsAdopters } from '../pods/orphans.js'
import { selectorOf } from '../pods/selectors.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { combinedController } from '../runtime/together.js'
import { Memory } from './memory.js'
import { orphanedPods } from './orphaned-pods.js'
import { reconcileJob } from './reconcile.js'

/** Runs pods until enough of them have succeeded. */
export function jobController(): Controller {
  const memory = new Memory()
  const jobs = controller('job')
    .for(Job)
    .owns(Pod)
    .watches(
      Pod,
      concernsAdopters(Job, ({ spec }) => selectorOf(spec.selector)),
    )
    .workers(5)
    .reconcile((key, context) => reconcileJob(key, context, memory))
  return combinedController('job', [jobs, orphanedPods])
}
