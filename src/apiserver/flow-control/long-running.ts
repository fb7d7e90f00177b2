import type { RequestInfo } from '../request/request-info.js'

const connections: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** Lasts for as long as the client likes, and is answered in parts. */
export function isLongRunning({ isResource, verb, subresource }: RequestInfo): boolean {
  return isResource && (verb === 'watch' || verb === 'proxy' || connections.has(subresource))
}
