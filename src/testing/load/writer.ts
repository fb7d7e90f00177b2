import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../base/random.js'
import { type LoadResponse, sendLoadRequest } from './http-requests.js'
import type { LoadLedger } from './ledger.js'

export interface WriterOptions {
  readonly number: number
  /** Of the collection. */
  readonly url: string
  readonly ledger: LoadLedger
  readonly isOver: () => boolean
}

/** How many objects each writer has to do with. */
const objects = 12
/** What it writes is long enough to be torn. */
const padding = 'x'.repeat(600)

/** Creates, updates and deletes its own objects for as long as the trial lasts, over crashes and restarts. */
export async function writeRepeatedly({ number, url, ledger, isOver }: WriterOptions): Promise<void> {
  const random = seededRandom(number)
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const state = new Map<string, boolean>()
  for (let count = 0; !isOver(); count++) {
    const name = `w${number}-${random.integer(objects)}`
    const value = state.get(name) && random.integer(4) === 0 ? undefined : `${number}.${count}.${padding}`
    try {
      const answer = await attempt(agent, url, { name, value, exists: state.get(name) ?? false })
      state.set(name, value !== undefined)
      const { resourceVersion } = answer.body.metadata
      // The answer to a deletion tells of the object as it was; its event alone tells the revision that deleted it.
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
  const answer =
    value === undefined
      ? await sendLoadRequest(agent, 'DELETE', `${url}/${name}`)
      : exists
        ? await sendLoadRequest(agent, 'PUT', `${url}/${name}`, content)
        : await sendLoadRequest(agent, 'POST', url, content)
  if (answer.status >= 300)
    throw new UnexpectedResponse(
      `${name}: ${answer.status} ${answer.body.message}, which no other writer can have caused`,
    )
  return answer
}

/** Whether the object is there, as soon as someone can tell; undefined if the trial is over before. */
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
