import { signedInteger } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, sameJson } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import type { Rest } from '../factory/rest.js'
import { dryRunFlag, dryRunOf, dryRunQuery, resultPrinter } from '../printers/result.js'
import { fetchObjects } from '../resources/fetch.js'
import { metadataOf, objectPath, type ResourceObject, resourceName } from '../resources/resource-object.js'
import { type Revision, revisionsOf, withoutTemplateHash } from './revisions.js'
import { nothingNamed, rolloutFlags } from './workload-change.js'

const flags = {
  ...rolloutFlags,
  ...dryRunFlag,
  'to-revision': signedInteger('Revision to return to; 0 for the previous one'),
} as const

type UndoContext = CommandContext<typeof flags>

export const rolloutUndo = command({
  usage: '(TYPE NAME | TYPE/NAME) [flags] [options]',
  about: 'Return to an earlier revision.',
  examples: ['kubectl rollout undo deployment/web', 'kubectl rollout undo deployment/web --to-revision=3'],
  flags,
  async run(call) {
    const { flags: given, args, factory } = call
    if (args.length === 0 && given.filename.length === 0) throw new Error(nothingNamed)
    const printer = await resultPrinter(call, given, dryRunOf(given))
    for (const info of await fetchObjects(factory, { ...given, args, typesMeanAll: true }))
      await printer.print(info.object, await undo(call, info))
  },
})

async function undo(call: UndoContext, info: ResourceObject): Promise<string> {
  const { flags: given, factory } = call
  if (given['to-revision'] < 0) throw new Error(`unable to find specified revision ${given['to-revision']} in history`)
  const target = chosen(await revisionsOf(factory, info), given['to-revision'], info)
  if (objectIn(info.object, 'spec')?.paused === true)
    throw new Error(
      "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
    )
  const template = withoutTemplateHash(target.template)
  const present = objectIn(objectIn(info.object, 'spec') ?? {}, 'template') ?? {}
  if (sameJson(withoutTimes(template), withoutTimes(present)))
    return `skipped rollback (current template already matches revision ${target.number})`
  if (dryRunOf(given) !== 'client') await send(await factory.rest(), call, info, { target, template })
  return 'rolled back'
}

function withoutTimes(template: JsonObject): JsonObject {
  const { creationTimestamp: _, ...metadata } = objectIn(template, 'metadata') ?? {}
  return { ...template, metadata }
}

function chosen(revisions: readonly Revision[], wanted: number, { resource, name }: ResourceObject): Revision {
  if (wanted > 0) {
    const found = revisions.find(({ number }) => number === wanted)
    if (found) return found
    throw new Error(`unable to find specified revision ${wanted} in history`)
  }
  const before = revisions.at(-2)
  if (before) return before
  throw new Error(`no rollout history found for ${resource.kind.toLowerCase()} "${name}"`)
}

/** Annotations that belong to the object and not to a revision. */
const ownAnnotations = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]

interface Undoing {
  readonly target: Revision
  readonly template: JsonObject
}

async function send(
  rest: Rest,
  { flags: given }: UndoContext,
  info: ResourceObject,
  { target, template }: Undoing,
): Promise<void> {
  const query = { ...dryRunQuery(dryRunOf(given)), fieldManager: given['field-manager'] }
  const path = objectPath(info)
  if (resourceName(info.resource) !== 'deployments.apps') {
    const body = objectIn(target.source, 'data') ?? {}
    await rest.json({ method: 'PATCH', path, query, body, contentType: 'application/strategic-merge-patch+json' })
    return
  }
  const body = [
    { op: 'replace', path: '/spec/template', value: template },
    { op: 'replace', path: '/metadata/annotations', value: annotationsFor(info.object, target.source) },
  ]
  await rest.json({ method: 'PATCH', path, query, body, contentType: 'application/json-patch+json' })
}

function annotationsFor(object: JsonObject, keeper: JsonObject): Readonly<Record<string, string>> {
  const isOwn = ([name]: [string, string]) => ownAnnotations.includes(name)
  const own = Object.entries(metadataOf(object).annotations ?? {}).filter(isOwn)
  const kept = Object.entries(metadataOf(keeper).annotations ?? {}).filter((entry) => !isOwn(entry))
  return Object.fromEntries([...own, ...kept])
}
