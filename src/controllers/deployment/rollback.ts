import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { quote } from '../../schema/quote.js'
import type { Look } from './look.js'
import { withNew } from './new-replica-set.js'
import { allOf, isSameTemplate, type ReplicaSets, withoutHash } from './replica-sets.js'
import { annotatedNumber, annotationsOnceBack, previousRevision, revisionOf, rollbackAnnotation } from './revisions.js'

/**
 * The revision that an old client asked to go back to, 0 for the one before this; undefined if none did. (Newer clients write the old
 * template themselves.)
 */
export function rollbackRevision(deployment: Deployment): number | undefined {
  return annotatedNumber(deployment, rollbackAnnotation)
}

/** Makes the template of an earlier revision that of the Deployment. Everything else follows from that, as with any other change. */
export async function rollBack(look: Look, replicaSets: ReplicaSets, asked: number): Promise<void> {
  const all = allOf(await withNew(look, replicaSets))
  const revision = asked === 0 ? previousRevision(all) : asked
  if (revision === 0) return giveUp(look, 'Unable to find last revision.')
  const target = all.find((each) => revisionOf(each) === revision)
  if (!target) return giveUp(look, 'Unable to find the revision to rollback to.')
  await rollBackTo(look, target, revision)
}

async function rollBackTo(look: Look, target: ReplicaSet, revision: number): Promise<void> {
  const { deployment } = look
  const name = quote(deployment.metadata.name!)
  if (isSameTemplate(deployment.spec.template, target.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`
    look.tell('Warning', 'DeploymentRollbackTemplateUnchanged', message)
    return writeAnswered(look, deployment)
  }
  const annotations = annotationsOnceBack(deployment, target)
  const template = withoutHash(target.spec.template ?? {})
  const { metadata, spec } = deployment
  await writeAnswered(look, { ...deployment, metadata: { ...metadata, annotations }, spec: { ...spec, template } })
  look.tell('Normal', 'DeploymentRollback', `Rolled back deployment ${name} to revision ${revision}`)
}

async function giveUp(look: Look, message: string): Promise<void> {
  look.tell('Warning', 'DeploymentRollbackRevisionNotFound', message)
  await writeAnswered(look, look.deployment)
}

/** Without the question, which is answered. */
async function writeAnswered(look: Look, deployment: Deployment): Promise<void> {
  const { [rollbackAnnotation]: _, ...annotations } = deployment.metadata.annotations ?? {}
  await look.write({ ...deployment, metadata: { ...deployment.metadata, annotations } })
}
