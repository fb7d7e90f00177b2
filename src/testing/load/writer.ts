import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../base/random.js'
import { type LoadResponse, sendLoadRequest } from './http-requests.js'
import type { LoadLedger } from './ledger.js'

export interface WriterOptions {
  readonly number: number
  /** The URL of the collection. */
  readonly url: string
  readonly ledger: LoadLedger
  readonly isOver: () => boolean
}

/** The number of objects of each writer. */
const objects = 12
/** Makes values long enough to show partial writes. */
const padding = 'x'.repeat(600)

/** Creates, updates and deletes its own objects until `isOver`, across crashes and restarts. */
export async function writeRepeatedly({ number, url, ledger, isOver }: WriterOptions): Promise<void> {
  const random = seededRandom(number)
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const state = new Map<string, boolean>()
  for (let count = 0; !isOver(); count++) {
    const name = `w${number}-${random.integer(objects)}`
    const value = state.get(name) && random.integer(4) === 0 ? undefined : `${number}.${count}.${padding}`
    try {
      const response = await attempt(agent, url, { name, value, exists: state.get(name) ?? false })
      state.set(name, value !== undefined)
      const { resourceVersion } = response.body.metadata
      // The response to a deletion has the old revision; only the watch event has the revision of the deletion.
      ledger.acknowledged.push({ name, value, revision: value === undefined ? 0 : Number(resourceVersion) })
    } catch (error) {
      if (error instanceof UnexpectedResponse) throw error
      ledger.unacknowledged.push({ name, value })
      const found = await present(agent, `${url}/${name}`, isOver)
      if (found === undefined) break
      state.set(name, found)
    }
  }
  agent.destroy()
}

export class UnexpectedResponse extends Error {}

interface Attempt {
  readonly name: string
  readonly value: string | undefined
  readonly exists: boolean
}

async function attempt(agent: Agent, url: string, { name, value, exists }: Attempt): Promise<LoadResponse> {
  const content = { metadata: { name }, data: { value, copy: value } }
  const response =
    value === undefined
      ? await sendLoadRequest(agent, 'DELETE', `${url}/${name}`)
      : exists
        ? await sendLoadRequest(agent, 'PUT', `${url}/${name}`, content)
        : await sendLoadRequest(agent, 'POST', url, content)
  if (response.status >= 300)
    throw new UnexpectedResponse(
      `${name}: ${response.status} ${response.body.message}, although no other writer writes it`,
    )
  return response
}

/** Reports whether the object exists, as soon as the server responds; undefined if the run is over before. */
async function present(agent: Agent, url: string, isOver: () => boolean): Promise<boolean | undefined> {
  while (!isOver()) {
    try {
      const { status } = await sendLoadRequest(agent, 'GET', url)
      if (status === 200 || status === 404) return status === 200
    } catch {
      // still down
    }
    await pause(20)
  }
  return undefined
}
