import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { type JsonBody, sendLoadRequest } from './http-requests.js'

/** The content of one complete list, in pages or not. */
export interface ListSnapshot {
  readonly revision: number
  /** Values by name. */
  readonly values: ReadonlyMap<string, string>
}

export interface ListerOptions {
  readonly url: string
  readonly isOver: () => boolean
  /** 0: no pages. */
  readonly pageSize: number
}

/** Lists repeatedly. Drops a list that fails in the middle, as a client would start again. */
export async function listRepeatedly({ url, isOver, pageSize }: ListerOptions): Promise<readonly ListSnapshot[]> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const snapshots: ListSnapshot[] = []
  while (!isOver()) {
    try {
      snapshots.push(await snapshot(agent, url, pageSize))
    } catch (error) {
      if (error instanceof TornList) throw error
    }
    await pause(30)
  }
  agent.destroy()
  return snapshots
}

export class TornList extends Error {}

async function snapshot(agent: Agent, url: string, pageSize: number): Promise<ListSnapshot> {
  const values = new Map<string, string>()
  let token = ''
  let revision: number | undefined
  let before = ''
  do {
    const { status, body } = await sendLoadRequest(
      agent,
      'GET',
      `${url}?limit=${pageSize}&continue=${encodeURIComponent(token)}`,
    )
    if (status !== 200) throw new Error(`list failed with ${status} ${body.message}`)
    const at = Number(body.metadata.resourceVersion)
    revision ??= at
    if (at !== revision) throw new TornList(`pages of one list are of revisions ${revision} and ${at}`)
    for (const item of body.items!) before = add(values, item, { before, revision })
    token = body.metadata.continue ?? ''
  } while (token !== '')
  return { revision: revision!, values }
}

function add(
  values: Map<string, string>,
  { metadata, data }: JsonBody,
  { before, revision }: { before: string; revision: number },
): string {
  const name = metadata.name!
  if (name <= before) throw new TornList(`${name} stands after ${before} in a list`)
  if (Number(metadata.resourceVersion) > revision) throw new TornList(`${name} is newer than the list that it is in`)
  if (data?.value !== data?.copy) throw new TornList(`${name} is inconsistent in a list`)
  values.set(name, data!.value!)
  return name
}
