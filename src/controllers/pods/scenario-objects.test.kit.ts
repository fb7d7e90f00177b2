import type { JsonObject } from '../../schema/declaration.js'
import { parseIntOrString } from '../../schema/values/int-or-string.js'

/** What a command of a story says: `replicas=3 image=v2`. */
export type Words = Readonly<Record<string, string>>

export function wordsOf(texts: readonly string[]): Words {
  return Object.fromEntries(texts.map((text) => text.split(/=(.*)/s, 2) as [string, string]))
}

/** Where in an object each word stands. */
const places: Readonly<Record<string, readonly string[]>> = {
  replicas: ['spec', 'replicas'],
  minReady: ['spec', 'minReadySeconds'],
  deadline: ['spec', 'progressDeadlineSeconds'],
  history: ['spec', 'revisionHistoryLimit'],
  paused: ['spec', 'paused'],
  strategy: ['spec', 'strategy', 'type'],
  surge: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'],
  unavailable: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'],
  cause: ['metadata', 'annotations', 'kubernetes.io/change-cause'],
  rollback: ['metadata', 'annotations', 'deprecated.deployment.rollback.to'],
}

const texts: ReadonlySet<string> = new Set(['cause', 'rollback', 'strategy'])

/** A change, as a merge patch, and as what it adds to a new object. */
export function changeOf(words: Words): JsonObject {
  const change: JsonObject = {}
  for (const [word, text] of Object.entries(words)) {
    const place = places[word]
    if (place) put(change, place, texts.has(word) ? text : parsed(text))
    else if (word !== 'image' && word !== 'app') throw new Error(`what does ${word} mean?`)
  }
  return change
}

function parsed(text: string) {
  return text === 'true' || text === 'false' ? text === 'true' : parseIntOrString(text)
}

function put(object: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) object[name!] = value
  else {
    const inner = (object[name!] ?? {}) as Record<string, unknown>
    object[name!] = inner
    put(inner, rest, value)
  }
}

export function containersOf({ image = 'v1' }: Words): JsonObject {
  return { containers: [{ name: 'main', image }] }
}

/** A workload whose pods have the label `app`, its own name unless given. */
export function workload(name: string, words: Words, selector: (labels: JsonObject) => JsonObject): JsonObject {
  const labels = { app: words.app ?? name }
  const { metadata = {}, spec = {} } = changeOf(words) as { metadata?: JsonObject; spec?: JsonObject }
  return {
    metadata: { name, ...metadata },
    spec: { selector: selector(labels), template: { metadata: { labels }, spec: containersOf(words) }, ...spec },
  }
}
