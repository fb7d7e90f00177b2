import { boolean, signedInteger, text } from '../base/flags/flag-types.js'
import type { JsonObject } from '../schema/declaration.js'
import { managerFlag, recordFlag, withChangeCause, withLastApplied } from './changes/change-flags.js'
import { type CommandContext, command } from './command.js'
import { requireFlags } from './create/generator.js'
import { outputFlags } from './printers/output.js'
import { dryRunFlag, dryRunOf, dryRunQuery, resultPrinter } from './printers/result.js'
import { fetchObjects } from './resources/fetch.js'
import { groupKindOf, type ResourceObject, resourcePath } from './resources/resource-object.js'
import { fileFlags } from './resources/selection.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...dryRunFlag,
  ...recordFlag,
  ...managerFlag('kubectl-autoscale'),
  'cpu-percent': signedInteger('Target CPU usage, in percent of the requested CPU', { initial: -1 }),
  max: signedInteger('The maximum number of pods', { initial: -1 }),
  min: signedInteger('The minimum number of pods', { initial: -1 }),
  name: text('Name of the autoscaler; by default that of the object'),
  'save-config': boolean('Save the object in an annotation, for a later apply'),
} as const

type AutoscaleContext = CommandContext<typeof flags>

export const autoscale = command({
  usage: '(-f FILENAME | TYPE NAME | TYPE/NAME) [--min=MINPODS] --max=MAXPODS [--cpu-percent=CPU] [options]',
  about: 'Create an autoscaler for a deployment, replica set or stateful set.',
  examples: ['kubectl autoscale deployment web --min=2 --max=10 --cpu-percent=80'],
  flags,
  run: runAutoscale,
})

async function runAutoscale(call: AutoscaleContext): Promise<void> {
  const { flags: given, args, factory } = call
  requireFlags(call, ['max'])
  check(given)
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, dryRun, { isTyped: true })
  for (const info of await fetchObjects(factory, { ...given, args, selector: '' })) {
    await refuseUnscalable(call, info)
    const made = autoscalerFor(call, info)
    const noted = given.record ? withChangeCause(call, made) : made
    if (dryRun === 'client') {
      await printer.print(noted, 'created')
      continue
    }
    const body = given['save-config'] ? withLastApplied(noted, { isTyped: true }) : noted
    const resource = await (await factory.mapper()).kind(groupKindOf(body))
    const query = { ...dryRunQuery(dryRun), fieldManager: given['field-manager'] }
    const request = { method: 'POST', path: resourcePath(resource, info.namespace), query, body }
    await printer.print(await (await factory.rest()).json<JsonObject>(request), 'autoscaled')
  }
}

function check({ max, min }: AutoscaleContext['flags']): void {
  if (max < 1) throw new Error(`--max=MAXPODS is required and must be at least 1, max: ${max}`)
  if (max < min) throw new Error(`--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`)
}

/** Rejects a resource without a `scale` subresource. */
async function refuseUnscalable({ factory }: AutoscaleContext, { resource }: ResourceObject): Promise<void> {
  const { group, version, plural, kind, root } = resource
  const list = await (await factory.rest()).json<{ readonly resources?: readonly { readonly name: string }[] }>({
    path: root,
  })
  if (list.resources?.some(({ name }) => name === `${plural}/scale`)) return
  const what = `${group}/${version}, Resource=${plural}`
  throw new Error(`cannot autoscale a ${kind}: could not find scale subresource for ${what} in discovery information`)
}

function autoscalerFor({ flags: given }: AutoscaleContext, info: ResourceObject): JsonObject {
  const { apiVersion = '', kind = '' } = info.object
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { creationTimestamp: null, name: given.name || info.name },
    spec: {
      maxReplicas: given.max,
      ...(given.min > 0 && { minReplicas: given.min }),
      scaleTargetRef: { apiVersion, kind, name: info.name },
      ...(given['cpu-percent'] >= 0 && { targetCPUUtilizationPercentage: given['cpu-percent'] }),
    },
    status: { currentReplicas: 0, desiredReplicas: 0 },
  }
}
