import type { IncomingMessage } from 'node:http'
import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import type { HostAccess } from '../../client/host-access.js'
import { systemRoots } from '../../client/https/system-roots.js'
import { bodyOf } from '../factory/rest.js'

const mostRedirections = 10

/** What lies at an address of the web, known by those whom the system trusts. */
export async function download(address: string, machine: HostAccess): Promise<string> {
  const roots = await systemRoots(machine)
  let place = new URL(address)
  for (let redirections = 0; ; redirections++) {
    const message = await answerOf(place, roots)
    const { statusCode: code = 0, statusMessage = '', headers } = message
    const text = (await bodyOf(message)).toString()
    if (code >= 200 && code < 300) return text
    if (code < 300 || code >= 400 || headers.location === undefined || redirections === mostRedirections)
      throw new Error(`unable to read URL "${address}", server reported ${code} ${statusMessage}, status code=${code}`)
    place = new URL(headers.location, place)
  }
}

function answerOf(place: URL, roots: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked =
      place.protocol === 'https:'
        ? getSecure(place, { agent: false, ...(roots !== undefined && { ca: roots }) }, resolve)
        : getPlain(place, { agent: false }, resolve)
    asked.once('error', reject)
  })
}
