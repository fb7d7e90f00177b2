import { text } from './answer.js'
import type { Stage } from './stage.js'

const allowed: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
}

/** Lets pages of certain origins make requests from a browser. It asks before it does, and shows no credentials for that. */
export function corsStage(origins: readonly RegExp[]): Stage {
  return {
    name: 'cors',
    run(exchange) {
      const { headers, method } = exchange.request
      const { origin } = headers
      if (origin === undefined) return
      exchange.headers.vary = 'Origin'
      if (!origins.some((pattern) => pattern.test(origin))) return
      Object.assign(exchange.headers, allowed, { 'access-control-allow-origin': origin })
      if (method === 'OPTIONS') exchange.answer = text(204, '')
    },
  }
}
