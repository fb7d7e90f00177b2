import { labelSelectorText } from '../api/selectors/label-selector.js'
import type { JsonObject } from '../schema/declaration.js'
import { objectIn } from '../schema/json-value.js'
import type { Factory } from './factory/factory.js'
import { fetchInfos } from './resources/fetch.js'
import { type Info, infoPath, itemsOf, metadataOf, pathOf, resourceName } from './resources/info.js'

/** The pods that an object stands for: itself, or those that it selects; those that can be used best come first. */
export async function podsOf(factory: Factory, info: Info): Promise<readonly Info[]> {
  if (resourceName(info.resource) === 'pods') return [info]
  const selector = objectIn(info.object, 'spec')?.selector as JsonObject | undefined
  if (!selector)
    throw new Error(
      `cannot get the logs from ${info.resource.group === '' ? '' : `${info.resource.group}/`}${info.resource.kind}: no selector`,
    )
  const isPlain = Object.values(selector).every((value) => typeof value === 'string')
  const text = isPlain
    ? labelSelectorText({ matchLabels: selector as Record<string, string> })
    : labelSelectorText(selector as never)
  const resource = await (await factory.mapper()).kind({ group: '', version: 'v1', kind: 'Pod' })
  const list = await (await factory.rest()).json<JsonObject>({
    path: pathOf(resource, info.namespace),
    query: { labelSelector: text },
  })
  const pods = itemsOf(list).map((object) => ({
    resource,
    namespace: info.namespace,
    name: metadataOf(object).name ?? '',
    object,
    source: '',
  }))
  return [...pods].sort((left, right) => rank(left.object) - rank(right.object))
}

/** Running ones are of more use than those that wait or are over. */
function rank(pod: JsonObject): number {
  const phase = objectIn(pod, 'status')?.phase
  return phase === 'Running' ? 0 : phase === 'Pending' ? 1 : 2
}

/** The one pod that `NAME` or `TYPE/NAME` means. Tells where there was a choice. */
export async function onePod(factory: Factory, given: string, err: (text: string) => Promise<void>): Promise<Info> {
  const args = given.includes('/') ? [given] : ['pods', given]
  const [info] = await fetchInfos(factory, { args })
  const pods = await podsOf(factory, info!)
  const [first] = pods
  if (!first) throw new Error(`timed out waiting for the condition`)
  if (pods.length > 1) await err(`Found ${pods.length} pods, using pod/${first.name}\n`)
  return first
}

interface NamedContainer {
  readonly name: string
}

/** All containers of a pod: those that run on, those that ran first, and those that were added to look into it. */
export function containerNames(pod: JsonObject, withInit = true): readonly string[] {
  const spec = objectIn(pod, 'spec') ?? {}
  const names = (field: string) => ((spec[field] ?? []) as unknown as readonly NamedContainer[]).map(({ name }) => name)
  const first = withInit ? names('initContainers') : []
  return [...names('containers'), ...first, ...names('ephemeralContainers')]
}

const defaultContainer = 'kubectl.kubernetes.io/default-container'

/** The container that is meant where none is named. Tells where there was a choice. */
export async function chosenContainer(pod: Info, given: string, err: (text: string) => Promise<void>): Promise<string> {
  const names = containerNames(pod.object)
  if (given !== '') {
    if (!names.includes(given)) throw new Error(`container ${given} not found in pod ${pod.name}`)
    return given
  }
  const annotated = metadataOf(pod.object).annotations?.[defaultContainer]
  if (annotated !== undefined && names.includes(annotated)) return annotated
  const all = [
    ...names.filter((name) => containerNames(pod.object, false).includes(name)),
    ...initOnly(pod.object).map((name) => `${name} (init)`),
  ]
  if (all.length > 1) await err(`Defaulted container "${names[0]}" out of: ${all.join(', ')}\n`)
  return names[0] ?? ''
}

function initOnly(pod: JsonObject): readonly string[] {
  const usual = containerNames(pod, false)
  return containerNames(pod).filter((name) => !usual.includes(name))
}

export function podPath(pod: Info, subresource: string): string {
  return infoPath(pod, subresource)
}
